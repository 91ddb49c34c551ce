import { expect, test } from 'vitest';
import { createFleet } from '../../src/reference/index.ts';
import { runCommand } from '../commands/run-command.ts';
import { createFleetHome } from './fleet-home.ts';
import { runCli } from './run-cli.ts';

/** Prints at the exit whether a module of the PostgreSQL client was loaded. */
const reportPg = `import module from 'node:module';
process.on('exit', () => {
  const loaded = Object.keys(module._cache).some((path) => path.includes('/node_modules/pg/'));
  process.stderr.write(loaded ? 'pg was loaded' : 'pg was not loaded');
});`;
const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(reportPg)}`];

test('a crawl loads the PostgreSQL client only with a job engine, whose failure it reports without the password', async () => {
  await using fleet = await createFleet({ hosts: 2, log: false, mix: { loops: 1 } });
  using home = createFleetHome(fleet);
  const crawl = ['crawl', '--config', home.settingsFile];
  const withoutEngine = await runCli(crawl, { nodeArgs });
  expect(withoutEngine.code, withoutEngine.stderr).toBe(0);
  expect(withoutEngine.stderr).toContain('pg was not loaded');
  const env = { LOOPSCOUT_ENGINE_URL: 'postgres://loopscout:s3cr3t@127.0.0.1:1/none' };
  const failed = await runCli([...crawl, ...fleet.hosts.map(({ domain }) => domain)], { nodeArgs, env });
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain('pg was loaded');
  expect(failed.stderr).toContain('the job engine cannot be used: ');
  expect(failed.stdout + failed.stderr).not.toContain('s3cr3t');
});

test('a worker needs a job engine and a usable name, and refuses a password in queue.engine', async () => {
  const withoutEngine = await runCommand(['worker']);
  expect(withoutEngine.code).toBe(2);
  expect(withoutEngine.stderr).toContain('a worker needs a job engine: set LOOPSCOUT_ENGINE_URL or queue.engine');
  const misnamed = await runCommand(['worker', '--name', 'a b', '--set', 'queue.engine=postgres://127.0.0.1:1/x']);
  expect(misnamed.code).toBe(2);
  expect(misnamed.stderr).toContain('--name takes');
  const refused = await runCommand(['worker', '--set', 'queue.engine=postgres://u:s3cr3t@127.0.0.1:1/x']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('without a password');
  expect(refused.stderr).not.toContain('s3cr3t');
});
