import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFleet } from '../../src/reference/index.ts';
import { createFleetHome } from '../process/fleet-home.ts';
import { runCommand } from './run-command.ts';

test('sources shows the yield of each source, compare compares a list with the directory, and crawl reads the selected sources', async () => {
  await using fleet = await createFleet({ hosts: 6, mix: { loops: 1, mastodon: 1 } });
  using home = createFleetHome(fleet);
  const withConfig = (...args: string[]) => runCommand([...args, '--config', home.settingsFile], home.folder);
  expect((await withConfig('crawl')).code).toBe(0);

  const table = await withConfig('sources');
  expect([table.code, table.stdout]).toEqual([0, expect.stringMatching(/only here[\s\S]*complete/)]);
  const [source] = JSON.parse((await withConfig('sources', '--json')).stdout);
  const loops = fleet.hosts.filter(({ kind }) => kind === 'loops').map(({ domain }) => domain);
  expect(source).toMatchObject({ type: 'file', domains: 6, visited: 6, loops: loops.length, onlyHere: loops.length });
  const history = await withConfig('sources', source.key, '--json');
  expect(JSON.parse(history.stdout).runs).toMatchObject([{ outcome: 'complete', entered: 6 }]);
  expect((await withConfig('sources', 'nobody')).code).toBe(1);

  const list = join(home.folder, 'theirs.txt');
  writeFileSync(list, `${loops[0]}\nunheard-of.example\n`);
  const compared = await withConfig('compare', list);
  expect([compared.code, compared.stderr]).toEqual([0, '']);
  expect(compared.stdout).toMatch(/^.* lists .*\nIt lists \d+ of our \d+ instances\.\n\nListed there, not here: /);
  expect(compared.stdout).toContain('unheard-of.example: we do not know it');
  expect(compared.stdout).toContain(`Listed here, not there: ${loops.length - 1}`);
  expect((await withConfig('compare', join(home.folder, 'missing.txt'))).code).toBe(2);
  const fifo = join(home.folder, 'fifo');
  execFileSync('mkfifo', [fifo]);
  expect(await withConfig('compare', fifo)).toMatchObject({ code: 2, stderr: expect.stringContaining('it is a FIFO') });

  expect((await withConfig('crawl', '--sources', 'all')).stdout).toContain('unchanged since it was last read');
  expect((await withConfig('crawl', '--sources', 'none')).stdout).not.toContain('Source ');
  const wrong = await withConfig('crawl', '--sources', 'some');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('allowed: due, all, fresh, none')]);
});
