import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportAll } from '../../../src/export/export-all.ts';
import { newFolder } from '../export-folder.ts';
import { instanceRecordOf, unknownFacts } from '../record-of.ts';
import { sourceOf } from '../row-of.ts';

test('instances.min.json keeps unknown registration and unknown user counts as null', async () => {
  const mode = null;
  const records = [
    instanceRecordOf('a.example.org', { facts: { registration: { open: true, mode } } }),
    instanceRecordOf('b.example.org', { facts: { registration: { open: false, mode } } }),
    instanceRecordOf('c.example.org', { version: null, facts: unknownFacts }),
  ];
  const dir = await newFolder();
  await exportAll({
    source: sourceOf({ instances: { listed: () => records } }),
    dir,
    now: () => 0,
    toolVersion: '1.0.0',
  });
  const { instances } = JSON.parse(await readFile(join(dir, 'instances.min.json'), 'utf8'));
  const common = {
    name: 'Loops',
    version: '1.0.0',
    users: 100,
    status: 'up',
    mode,
    url: expect.stringMatching('^https://'),
  };
  expect(instances).toEqual([
    { domain: 'a.example.org', open: true, ...common, joinable: true },
    { domain: 'b.example.org', open: false, ...common, joinable: false },
    { domain: 'c.example.org', open: null, ...common, name: null, version: null, users: null, joinable: false },
  ]);
});
