import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../process/run-cli.ts';
import { runCommand } from './run-command.ts';

test('settings prints the effective settings, and with --schema the schema that is in the repository', async () => {
  const { stdout } = await runCommand(['settings', '--set', 'queue.concurrency=7'], repository);
  expect(JSON.parse(stdout)).toMatchObject({ softwareId: 'loops', queue: { concurrency: 7, perAddress: 4 } });
  const schema = await runCommand(['settings', '--schema'], repository);
  const committed = readFileSync(join(repository, 'data/crawler.config.schema.json'), 'utf8');
  expect(JSON.parse(schema.stdout)).toEqual(JSON.parse(committed));
});
