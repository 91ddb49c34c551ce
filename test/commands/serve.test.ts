import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
  let hasEnded = false;
  const running = home.command('serve', '--json').finally(() => {
    hasEnded = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(hasEnded).toBe(false);
  change(home);
  const { code, stderr } = await running;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^loopscout: The database .* was moved, deleted or replaced while it was in use/m);
});
