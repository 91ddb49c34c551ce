import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createFleet } from '../../src/reference/index.ts';
import { startPostgres } from '../postgres.ts';
import { createFleetHome } from '../process/fleet-home.ts';
import { type CliResult, runCli } from '../process/run-cli.ts';

interface Started {
  child: ChildProcess;
  ended: Promise<CliResult>;
}

async function start(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Started> {
  const started = Promise.withResolvers<ChildProcess>();
  const ended = runCli(args, { env, onStart: started.resolve });
  const child = await started.promise;
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, ended };
}

function countVisits(database: string): { domains: number; visits: number; most: number } {
  const sqlite = new Database(database, { readonly: true });
  try {
    return sqlite
      .prepare(
        'select count(*) as domains, coalesce(sum(n), 0) as visits, coalesce(max(n), 0) as most from (select count(*) as n from visits group by domain_id)',
      )
      .get() as ReturnType<typeof countVisits>;
  } catch {
    return { domains: 0, visits: 0, most: 0 };
  } finally {
    sqlite.close();
  }
}

test('a crawl by workers visits every domain exactly once, though workers, scheduler and PostgreSQL are killed or frozen', async () => {
  await using postgres = await startPostgres();
  await using fleet = await createFleet({ hosts: 300, log: false, mix: { loops: 1, mastodon: 1 } });
  using home = createFleetHome(fleet, { queue: { concurrency: 16, visitsPerSecond: 25 } });
  const env = { LOOPSCOUT_ENGINE_URL: postgres.url };
  const worker = (name: string) =>
    start(['worker', '--config', home.settingsFile, '--name', name, '--concurrency', '8'], env);
  const crawl = () => start(['crawl', '--config', home.settingsFile, '--json'], env);
  const visited = async (least: number) =>
    await vi.waitFor(() => expect(countVisits(home.database).visits).toBeGreaterThanOrEqual(least), {
      timeout: 60_000,
      interval: 200,
    });

  const [frozen, killed] = [await worker('frozen'), await worker('killed')];
  const first = await crawl();
  await visited(50);
  killed.child.kill('SIGKILL');
  frozen.child.kill('SIGSTOP');
  await worker('third');
  await visited(100);
  first.child.kill('SIGKILL');
  await first.ended;
  const second = await crawl();
  await visited(150);
  await postgres.stop();
  await delay(2_000);
  await postgres.start();
  await visited(220);
  // Longer than its lease.
  frozen.child.kill('SIGCONT');
  const { code, stdout, stderr } = await second.ended;
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ domains: { due: 0, leased: 0 } });
  expect(countVisits(home.database)).toEqual({ domains: 300, visits: 300, most: 1 });
});
