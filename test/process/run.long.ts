import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createFleet } from '../../src/reference/index.ts';
import { runCommand } from '../commands/run-command.ts';
import { createFleetHome } from './fleet-home.ts';
import { jsonAnswer, startListSite } from './list-site.ts';
import { startService } from './start-service.ts';

const frequentJobs = { jobs: { crawl: '* * * * * *', export: '*/3 * * * * *' } };

test('`run` visits due domains, logs each visit, exports, reports its health, applies reloadable settings on SIGHUP, and exits with 0 on SIGTERM', async () => {
  await using fleet = await createFleet({ hosts: 40, log: false, mix: { loops: 1, mastodon: 1, 'http-500': 1 } });
  using home = createFleetHome(fleet, frequentJobs);
  await using service = await startService(['--config', home.settingsFile]);
  await service.waitForLog(({ msg }) => msg === 'export', 40_000);

  const lines = service.log.filter(({ msg }) => msg === 'visit');
  expect(lines.map(({ domain }) => domain).sort()).toEqual(fleet.hosts.map(({ domain }) => domain).sort());
  expect(lines.find(({ verdict }) => verdict === 'loops')).toMatchObject({
    level: 30,
    name: 'loopscout',
    reason: 'config-software',
    via: 'config',
    version: expect.any(String),
    ms: expect.any(Number),
    steps: expect.any(Number),
  });
  const { instances } = JSON.parse(readFileSync(join(home.exportDir, 'instances.json'), 'utf8'));
  expect(instances.length).toBeGreaterThan(5);

  const answer = await fetch(service.endpoints.health);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    status: 'ok',
    problems: [],
    visits: { total: 40, byVerdict: { loops: instances.length } },
    backlog: { live: { due: 0, lateSeconds: null } },
    export: { lastAt: expect.stringMatching(/^20.*Z$/) },
  });
  const { port } = new URL(service.endpoints.url);
  const health = await runCommand(['health', '--config', home.settingsFile, '--set', `serve.port=${port}`]);
  expect(health).toMatchObject({ code: 0, stdout: 'ok\n' });

  const settings = JSON.parse(readFileSync(home.settingsFile, 'utf8'));
  const write = (value: object) => writeFileSync(home.settingsFile, JSON.stringify(value));
  write({ ...settings, cadence: { loopsHours: 'often' } });
  service.child.kill('SIGHUP');
  const refused = await service.waitForLog(({ level }) => level === 50);
  expect(refused.msg).toContain('cadence.loopsHours');
  expect(refused.msg).toContain('The settings are unchanged.');

  write({ ...settings, cadence: { loopsHours: 1 }, robots: 'strict', log: { level: 'debug' } });
  service.child.kill('SIGHUP');
  expect((await service.waitForLog(({ msg }) => msg === 'settings applied')).keys).toEqual([
    'cadence.loopsHours',
    'log.level',
  ]);
  expect((await service.waitForLog(({ msg }) => msg.includes('need a restart'))).keys).toEqual(['robots']);

  expect((await service.end('SIGTERM')).code).toBe(0);
  expect(service.otherOutput).toEqual([]);
  const stopped = await runCommand(['health', '--config', home.settingsFile, '--set', `serve.port=${port}`]);
  expect(stopped.code).toBe(1);
  expect(stopped.stderr).toContain('no service answers');
});

test('a port in use ends the service with 2 and a hint', async () => {
  await using site = await startListSite();
  using home = createFleetHome({ ...site, hosts: [] }, frequentJobs);
  const { port } = new URL(site.urlOf('list.example', '/'));
  const { code, stderr } = await runCommand(['run', '--config', home.settingsFile, '--set', `serve.port=${port}`]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/port \d+ is in use; .*serve\.port/);
});

test('`run` schedules sources, exports and upkeep by cron expressions, which SIGHUP can change; a database that is moved away ends it with 1, an invalid expression with 2', async () => {
  await using site = await startListSite();
  site.answers.set('list.example', jsonAnswer(['a.example', 'b.example']));
  const yearly = '0 0 1 1 *';
  const jobs = { crawl: yearly, sources: '*/2 * * * * *', export: yearly, upkeep: '*/2 * * * * *', maxDelaySeconds: 1 };
  using home = createFleetHome({ ...site, hosts: [] }, { jobs });
  const settings = JSON.parse(readFileSync(home.settingsFile, 'utf8'));
  const write = (value: object) => writeFileSync(home.settingsFile, JSON.stringify(value));
  const source = { type: 'json', url: site.urlOf('list.example', '/hosts.json') };
  write({ ...settings, sources: [source] });
  await using service = await startService(['--config', home.settingsFile]);
  const isListRun = ({ msg, source: label }: { msg: string; source?: unknown }) =>
    msg === 'source' && label === source.url;
  await service.waitForLog((line) => isListRun(line) && line.entered === 2);
  await service.waitForLog(({ msg }) => msg === 'compaction');
  const compactions = service.log.filter(({ msg }) => msg === 'compaction').length;
  await service.waitForLog(({ msg }) => msg === 'export');

  // The source is due again a day after its last run.
  const database = new Database(home.database);
  database.exec('update source_runs set begun_at = begun_at - 86400000');
  database.close();
  await service.waitForLog((line) => isListRun(line) && line.known === 2);
  await expect
    .poll(() => service.log.filter(({ msg }) => msg === 'compaction').length, { timeout: 60_000 })
    .toBeGreaterThan(compactions);

  expect(service.log.filter(({ msg }) => msg === 'visit')).toHaveLength(0);
  write({ ...settings, sources: [source], jobs: { ...jobs, crawl: '* * * * * *', export: '* * * * * *' } });
  service.child.kill('SIGHUP');
  expect((await service.waitForLog(({ msg }) => msg === 'settings applied')).keys).toEqual([
    'jobs.crawl',
    'jobs.export',
  ]);
  await expect.poll(() => service.log.filter(({ msg }) => msg === 'visit').length, { timeout: 60_000 }).toBe(2);
  await expect
    .poll(() => service.log.filter(({ msg }) => msg === 'export').length, { timeout: 60_000 })
    .toBeGreaterThan(1);
  renameSync(home.database, `${home.database}.away`);
  expect(await service.ended).toBe(1);
  expect(service.otherOutput).toEqual([
    expect.stringMatching(/^loopscout: The database .* was moved, deleted or replaced/),
  ]);

  write({ ...settings, jobs: { upkeep: '61 * * * *' } });
  const { code, stderr } = await runCommand(['run', '--config', home.settingsFile]);
  expect(code).toBe(2);
  expect(stderr).toContain('jobs.upkeep is "61 * * * *"; allowed: a cron expression such as "41 * * * *"');
});
