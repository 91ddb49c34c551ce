import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ExportError } from '../../../src/export/export-error.ts';
import { type FolderFile, FolderInUseError, writeFolder } from '../../../src/export/files/write-folder.ts';

const LIST = '.loopscout-site.json';

function scratchFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'loopscout-folder-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, 'public');
}

const textFiles = (files: Readonly<Record<string, string>>): FolderFile[] =>
  Object.entries(files).map(([path, body]) => ({ path, body: () => body }));

const write = (dir: string, files: readonly FolderFile[], signal = new AbortController().signal) =>
  writeFolder({ dir, files, ignore: /<time>.*?<\/time>/g, signal });

const filesIn = (dir: string) =>
  (readdirSync(dir, { recursive: true }) as string[]).filter((name) => statSync(join(dir, name)).isFile()).sort();

/** Gives every file an old modification time, so that later writes can be detected. */
function age(dir: string): void {
  for (const name of filesIn(dir)) utimesSync(join(dir, name), 1_000, 1_000);
}
const rewritten = (dir: string) =>
  filesIn(dir).filter((name) => name !== LIST && statSync(join(dir, name)).mtimeMs > 1e9);

test('only new and changed files are written; a changed time alone changes no file', async () => {
  const dir = scratchFolder();
  const first = { 'index.html': 'a <time>1</time>', 'open/index.html': 'b', 'x/y/z.txt': 'é' };
  expect(await write(dir, textFiles(first))).toEqual({ dir, files: 3, bytes: 19, changed: 3, deleted: 0, skipped: [] });
  age(dir);
  const second = { ...first, 'index.html': 'a <time>2222</time>', 'open/index.html': 'B', 'new.txt': 'n' };
  expect(await write(dir, textFiles(second))).toEqual({
    dir,
    files: 4,
    bytes: 20,
    changed: 2,
    deleted: 0,
    skipped: [],
  });
  expect(rewritten(dir)).toEqual(['new.txt', 'open/index.html']);
  expect(readFileSync(join(dir, 'index.html'), 'utf8')).toBe('a <time>1</time>');
});

test('files that are no longer given are deleted with their empty folders; files of other people stay', async () => {
  const dir = scratchFolder();
  await write(
    dir,
    textFiles({
      'index.html': 'a',
      'instances/gone.example/index.html': 'b',
      'instances/here.example/index.html': 'c',
    }),
  );
  writeFileSync(join(dir, 'CNAME'), 'loops.example');
  mkdirSync(join(dir, 'mine'));
  writeFileSync(join(dir, 'mine/index.html'), 'mine');
  const report = await write(dir, textFiles({ 'index.html': 'a', 'instances/here.example/index.html': 'c' }));
  expect(report).toMatchObject({ files: 2, changed: 0, deleted: 1 });
  expect(filesIn(dir)).toEqual([LIST, 'CNAME', 'index.html', 'instances/here.example/index.html', 'mine/index.html']);
  expect(existsSync(join(dir, 'instances/gone.example'))).toBe(false);
});

test('files are deleted before anything is written: a failed write leaves none that should be gone', async () => {
  const dir = scratchFolder();
  await write(dir, textFiles({ 'index.html': 'a', 'instances/gone.example/index.html': 'b' }));
  const fails: FolderFile = {
    path: 'index.html',
    body: () => {
      throw new Error('the disk is full');
    },
  };
  await expect(write(dir, [fails])).rejects.toThrow('the disk is full');
  expect(filesIn(dir)).toEqual([LIST, 'index.html']);
});

test('a file of somebody else at the path of a new one is left alone and reported', async () => {
  const dir = scratchFolder();
  await write(dir, textFiles({ 'index.html': 'a' }));
  writeFileSync(join(dir, 'robots.txt'), 'mine');
  for (let attempt = 0; attempt < 2; attempt++) {
    const { skipped, files } = await write(dir, textFiles({ 'index.html': 'a', 'robots.txt': 'ours' }));
    expect({ skipped, files }).toEqual({ skipped: ['robots.txt'], files: 1 });
    expect(readFileSync(join(dir, 'robots.txt'), 'utf8')).toBe('mine');
  }
});

test('a folder with other content is refused, and an empty one accepted', async () => {
  const dir = scratchFolder();
  mkdirSync(dir);
  writeFileSync(join(dir, 'thesis.tex'), 'mine');
  await expect(write(dir, textFiles({ 'index.html': 'a' }))).rejects.toThrow(FolderInUseError);
  expect(filesIn(dir)).toEqual(['thesis.tex']);
  rmSync(join(dir, 'thesis.tex'));
  expect((await write(dir, textFiles({ 'index.html': 'a' }))).files).toBe(1);
});

test('a damaged or missing file is written again', async () => {
  const dir = scratchFolder();
  const files = textFiles({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
  await write(dir, files);
  writeFileSync(join(dir, 'a.txt'), '');
  rmSync(join(dir, 'b.txt'));
  expect(await write(dir, files)).toMatchObject({ changed: 2 });
  expect(['a', 'b', 'c'].map((name) => readFileSync(join(dir, `${name}.txt`), 'utf8'))).toEqual(['a', 'b', 'c']);
});

test('after an interrupted run the next one completes the folder, and deletes files that only the interrupted one wrote', async () => {
  const dir = scratchFolder();
  await write(dir, textFiles({ 'old.txt': 'old' }));
  const interrupt = new AbortController();
  const stop: FolderFile = { path: 'stop.txt', body: () => String(interrupt.abort()) };
  await expect(
    write(dir, [...textFiles({ 'early.txt': 'early' }), stop, ...textFiles({ 'late.txt': 'late' })], interrupt.signal),
  ).rejects.toThrow('aborted');
  expect(filesIn(dir)).toContain('early.txt');
  expect(await write(dir, textFiles({ 'late.txt': 'late' }))).toMatchObject({ files: 1, changed: 1, skipped: [] });
  expect(filesIn(dir)).toEqual([LIST, 'late.txt']);
});

test('a copied file is copied again only when its digest changes', async () => {
  const dir = scratchFolder();
  const source = join(dirname(dir), 'source.json');
  writeFileSync(source, '{}');
  const copy = (sha256: string): FolderFile[] => [{ path: 'data.json', copyOf: source, sha256 }];
  expect(await write(dir, copy('1'))).toMatchObject({ changed: 1, bytes: 2 });
  expect(await write(dir, copy('1'))).toMatchObject({ changed: 0, bytes: 2 });
  expect(await write(dir, copy('2'))).toMatchObject({ changed: 1 });
});

test('the error about a file that vanished before it was copied names that file and the folder of the export', async () => {
  const dir = scratchFolder();
  const source = join(dirname(dir), 'data', 'export', 'instances.json');
  const failed = write(dir, [{ path: 'instances.json', copyOf: source, sha256: '1' }]);
  await expect(failed).rejects.toThrow(ExportError);
  await expect(failed).rejects.toThrow(`cannot copy ${source}: the file was deleted while the site was written`);
  await expect(failed).rejects.toMatchObject({ namedBy: 'export.dir', kind: 'failure' });
  expect(filesIn(dir)).toEqual([LIST]);
});

test('no path leads out of the folder, and an unusable folder is an error with a cure', async () => {
  const dir = scratchFolder();
  await expect(write(dir, textFiles({ '../out.txt': 'x' }))).rejects.toThrow(RangeError);
  expect(existsSync(join(dirname(dir), 'out.txt'))).toBe(false);
  const file = join(dirname(dir), 'file');
  writeFileSync(file, '');
  const failed = write(join(file, 'public'), textFiles({ 'index.html': 'a' }));
  await expect(failed).rejects.toThrow(ExportError);
  await expect(failed).rejects.toThrow('set export.site to a folder');
});
