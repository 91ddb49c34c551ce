import { expect, test } from 'vitest';
import { type JsonFindings, selectJson } from '../../src/sources/formats/select-json.ts';

test('selecting from 50 MB of JSON takes under 120 MB of memory', async () => {
  async function* list() {
    yield Buffer.from('{"data":[');
    const chunk = Array.from({ length: 1_000 }, (_, index) => `{"domain":"host-${index}.example.org","n":[1,2,3]}`);
    for (let times = 0; times < 1_000; times += 1) yield Buffer.from(`${times === 0 ? '' : ','}${chunk.join(',')}`);
    yield Buffer.from(']}');
  }
  const findings: JsonFindings = { values: [], nextPage: null, hasList: false, rootDescription: 'nothing' };
  const before = process.memoryUsage.rss();
  let count = 0;
  for await (const _ of selectJson(list(), { entries: ['data', '*'] }, findings)) count += 1;
  expect(count).toBe(1_000_000);
  expect((process.memoryUsage.rss() - before) / 1e6).toBeLessThan(120);
});
