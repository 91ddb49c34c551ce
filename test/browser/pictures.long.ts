import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository, run } from '../process/run-cli.ts';

const MAX_BYTES = 300_000;
const MIN_BYTES = 10_000;
/** The text in the picture of `check`. */
const TEXT = 'check.txt';

/** The names of the pictures that a document shows. */
const picturesIn = (document: string) =>
  [...readFileSync(join(repository, document), 'utf8').matchAll(/images\/([\w-]+\.png)/g)].map(([, name = '']) => name);

const docs = readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

test('npm run pictures takes exactly the pictures that the documents show, as wide as those in docs/images and with the same text', async () => {
  const shown = [...new Set(['README.md', ...docs].flatMap(picturesIn))].toSorted();
  const committed = join(repository, 'docs/images');
  const taken = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
  const { code, stderr } = await run('npm', ['run', '-s', 'pictures', taken, '0', '60']);
  expect([code, stderr]).toEqual([0, '']);
  expect(shown.length).toBeGreaterThan(1);
  for (const folder of [taken, committed]) expect(readdirSync(folder).toSorted()).toEqual([...shown, TEXT].toSorted());
  const [textNow, textBefore] = [taken, committed].map((folder) => readFileSync(join(folder, TEXT), 'utf8'));
  expect(textNow).toBe(textBefore);
  for (const name of shown) {
    const [now, before] = [taken, committed].map((folder) => readFileSync(join(folder, name)));
    // The width, in the header of a PNG.
    expect(now?.readUInt32BE(16)).toBe(before?.readUInt32BE(16));
    for (const picture of [now, before]) {
      expect(picture?.subarray(1, 4).toString(), name).toBe('PNG');
      expect(picture?.length, name).toBeLessThan(MAX_BYTES);
      expect(picture?.length, name).toBeGreaterThan(MIN_BYTES);
    }
  }
});
