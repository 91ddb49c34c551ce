import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repository } from '../process/run-cli.ts';
import { runCommand } from './run-command.ts';

test('settings prints the effective settings, and with --schema the schema that is in the repository', async () => {
  const { stdout } = await runCommand(['settings', '--set', 'queue.concurrency=7'], repository);
  expect(JSON.parse(stdout)).toMatchObject({ softwareId: 'loops', queue: { concurrency: 7, perAddress: 4 } });
  const schema = await runCommand(['settings', '--schema'], repository);
  const committed = readFileSync(join(repository, 'data/crawler.config.schema.json'), 'utf8');
  expect(JSON.parse(schema.stdout)).toEqual(JSON.parse(committed));
});

test('settings --words prints every text of the pages as a file for site.words, and names the texts that a file lacks', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-words-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const all = await runCommand(['settings', '--words'], folder);
  expect(all).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(all.stdout)).toMatchObject({
    frame: { nav: { about: 'About' } },
    directory: {
      totals: { up: '{up} up, {down} down' },
      results: { all: { one: '{text} server', other: '{text} servers' } },
    },
  });
  const { frame, ...rest } = JSON.parse(all.stdout);
  writeFileSync(join(folder, 'words.json'), JSON.stringify({ ...rest, frame: { ...frame, skip: undefined } }));
  const lacking = await runCommand(['settings', '--words', '--set', 'site.words=words.json'], folder);
  expect(JSON.parse(lacking.stdout)).toEqual(JSON.parse(all.stdout));
  expect(lacking.stderr).toBe('site.words lacks frame.skip; the pages show our text\n');
});
