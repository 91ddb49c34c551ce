import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesIn, newFolder } from '../export-folder.ts';
import { exportGeneration } from '../export-generation.ts';

test('the next export removes only the temporary files of dead processes', async () => {
  const dir = await newFolder();
  await exportGeneration(dir, 1);
  const child = spawn(process.execPath, ['--eval', '']);
  await once(child, 'exit');
  const dead = `.domains.ndjson.${child.pid}-0123456789abcdef.tmp`;
  const living = `.domains.ndjson.${process.ppid}-0123456789abcdef.tmp`;
  const current = `.domains.ndjson.${process.pid}-0123456789abcdef.tmp`;
  const reusedPid = `.domains.ndjson.${process.pid}-fedcba9876543210.tmp`;
  const unrelated = [`domains.ndjson.${child.pid}-0123456789abcdef.tmp`, `.x.${child.pid}.tmp`, 'notes.tmp', '.hidden'];
  const deadSchema = join('schema', `.domains.json.${child.pid}-0123456789abcdef.tmp`);
  for (const name of [dead, deadSchema, living, current, reusedPid, ...unrelated])
    await writeFile(join(dir, name), 'x');
  await utimes(join(dir, reusedPid), new Date(0), new Date(0));

  await exportGeneration(dir, 1);
  const names = Object.keys(await filesIn(dir));
  expect(names).toEqual(expect.arrayContaining([living, current, ...unrelated]));
  expect(names.filter((name) => [dead, deadSchema, reusedPid].includes(name))).toEqual([]);
});
