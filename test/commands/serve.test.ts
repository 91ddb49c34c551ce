import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../serve-http.ts';
import { sampleDomains } from '../store/sample-visit.ts';
import { createFilledHome, type FilledHome } from './filled-home.ts';

const start = Date.UTC(2026, 0, 1);

const moveAway = ({ database, folder }: FilledHome) => renameSync(database, join(folder, 'away.sqlite'));

test.each([
  ['moved away', moveAway],
  [
    'replaced',
    (home: FilledHome) => {
      copyFileSync(home.database, join(home.folder, 'copy.sqlite'));
      renameSync(join(home.folder, 'copy.sqlite'), home.database);
    },
  ],
])('serve ends with 1 and reports that its database was %s', async (_fault, change) => {
  const home = createFilledHome();
  await home.visit(sampleDomains(2), start);
  const port = await freePort();
  const running = home.command('serve', '--json', '--set', `serve.port=${port}`);
  await expect
    .poll(() => fetch(`http://127.0.0.1:${port}/api/v1/stats`).then(({ status }) => status, String), {
      timeout: 30_000,
    })
    .toBe(200);
  change(home);
  const { code, stderr } = await running;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^loopscout: The database .* was moved, deleted or replaced while it was in use/m);
});

test('serve and crawl end with 1 and a one-sentence error when the database is damaged', async () => {
  const home = createFilledHome();
  await home.visit(sampleDomains(300), start);
  const bytes = readFileSync(home.database);
  writeFileSync(home.database, bytes.fill(0x5a, 2 * 4_096, bytes.length - 4_096));
  const sentence =
    /^loopscout: The database .* is damaged; restore it from a backup, or move it away to start over\.$/m;
  for (const command of ['serve', 'crawl']) {
    const { code, stderr } = await home.command(command);
    expect(stderr, command).toMatch(sentence);
    expect(code, command).toBe(1);
    // At most once in the log, and once as the error message of the command.
    expect(stderr.match(/is damaged/g)?.length, command).toBeLessThanOrEqual(2);
  }
});
