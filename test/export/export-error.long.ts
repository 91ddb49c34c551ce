import { execFile } from 'node:child_process';
import { mkdir, open, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { exportAll } from '../../src/export/export-all.ts';
import { ExportError } from '../../src/export/export-error.ts';
import type { FileSystem } from '../../src/export/files/temporary-files.ts';
import { filesIn, newFolder } from './export-folder.ts';
import { generatedSource } from './generated-source.ts';
import { sourceOf } from './row-of.ts';

const faultOf = (code: string) => Object.assign(new Error(`${code}: injected`), { code });

const exportInto = (dir: string, generation: number, fs?: FileSystem) =>
  exportAll({
    source: generatedSource(600, 30, generation),
    dir,
    now: () => Date.UTC(2026, 0, generation),
    toolVersion: '1.0.0',
    ...(fs && { fs }),
  });

async function errorOf(attempt: Promise<unknown>): Promise<ExportError> {
  const error = await attempt.then(() => null).catch((reason: unknown) => reason);
  if (!(error instanceof ExportError)) throw new Error(`no ExportError but ${String(error)}`);
  return error;
}

/** A disk with `bytesFree` bytes of space: it accepts the write that exceeds them in part, and no later one. */
function fullDisk(bytesFree: number): FileSystem {
  let free = bytesFree;
  return {
    rename,
    open: async (path, flags) => {
      const handle = await open(path, flags);
      return new Proxy(handle, {
        get(target, key) {
          if (key !== 'write') {
            const value = Reflect.get(target, key);
            return typeof value === 'function' ? value.bind(target) : value;
          }
          return async (data: Buffer, offset: number) => {
            if (free <= 0) throw faultOf('ENOSPC');
            const length = Math.min(free, data.byteLength - offset);
            free -= length;
            return target.write(data, offset, length);
          };
        },
      });
    },
  };
}

/** A file system on which one call fails for matching paths. */
function failing(call: 'open' | 'rename' | 'sync', match: RegExp, code: string): FileSystem {
  return {
    open: async (path, flags) => {
      if (call === 'open' && match.test(String(path))) throw faultOf(code);
      const handle = await open(path, flags);
      if (call === 'sync' && match.test(String(path))) handle.sync = () => Promise.reject(faultOf(code));
      return handle;
    },
    rename: async (from, to) => {
      if (call === 'rename' && match.test(String(to))) throw faultOf(code);
      return rename(from, to);
    },
  };
}

/** The first generation, which no failed export changes. */
let dir: string;
beforeAll(async () => {
  dir = await newFolder();
  await exportInto(dir, 1);
});

test.each([0, 20_000, 80_000])(
  'a disk that fills up after %i bytes leaves the previous files unchanged and adds no file',
  async (bytesFree) => {
    const before = await filesIn(dir);
    const error = await errorOf(exportInto(dir, 2, fullDisk(bytesFree)));
    expect(error).toMatchObject({ kind: 'failure', code: 'ENOSPC' });
    expect(error.message).toMatch(
      /^cannot write .*\.(json|ndjson): the disk is full \(ENOSPC\); free some space there/,
    );
    expect(await filesIn(dir)).toEqual(before);
  },
);

test('a write beyond the file size limit of the process is a failure and changes nothing', async () => {
  const before = await filesIn(dir);
  // The limit is 100 KB: `ulimit -f` of sh counts blocks of 512 bytes.
  const script = `ulimit -f 200; exec "$0" "$@"`;
  const program = join(import.meta.dirname, 'export-once.ts');
  const child = promisify(execFile)('sh', ['-c', script, process.execPath, program, dir, '600', '2']);
  const { stdout } = await child;
  expect(JSON.parse(stdout)).toMatchObject({
    name: 'ExportError',
    kind: 'failure',
    code: 'EFBIG',
    file: join(dir, 'domains.ndjson'),
  });
  expect(await filesIn(dir)).toEqual(before);
});

// The call that fails, the paths on which it fails, its error code; the kind and the message of the expected error.
test.each([
  ['open', /instances/, 'EACCES', 'setting', /permission is denied \(EACCES\); allow this user to write there/],
  ['open', /manifest/, 'EROFS', 'setting', /the file system is read-only/],
  ['open', /domains/, 'EMFILE', 'failure', /too many files are open/],
  ['sync', /domains/, 'EIO', 'failure', /input\/output error/],
  ['open', /domains/, 'EWEIRD', 'failure', /EWEIRD: injected \(EWEIRD\)/],
] as const)(
  '%s of %s failing with %s is an error of kind %s and changes nothing',
  async (call, match, code, kind, message) => {
    const before = await filesIn(dir);
    const error = await errorOf(exportInto(dir, 2, failing(call, match, code)));
    expect(error).toMatchObject({ kind, code });
    expect(error.message).toMatch(message);
    expect(await filesIn(dir)).toEqual(before);
  },
);

test('after a failed rename every file is complete, old or new, and no temporary file remains', async () => {
  const dir = await newFolder();
  await exportInto(dir, 1);
  const before = await filesIn(dir);
  const error = await errorOf(exportInto(dir, 2, failing('rename', /domains\.ndjson/, 'EPERM')));
  expect(error.file).toBe(join(dir, 'domains.ndjson'));
  const after = await filesIn(dir);
  expect(Object.keys(after)).toEqual(Object.keys(before));
  expect(after['domains.ndjson']).toEqual(before['domains.ndjson']);
  expect(after['manifest.json']).toEqual(before['manifest.json']);
});

test('a folder that cannot be synced is not an error', async () => {
  const dir = await newFolder();
  await exportInto(dir, 1, failing('sync', /loopscout-export-\w+$/, 'EINVAL'));
  expect(Object.keys(await filesIn(dir))).toContain('manifest.json');
});

test('an export folder whose parent is a file is a settings error', async () => {
  const file = join(await newFolder(), 'file');
  await writeFile(file, '');
  const error = await errorOf(exportInto(join(file, 'export'), 1));
  expect(error).toMatchObject({ kind: 'setting', file: join(file, 'export'), code: 'ENOTDIR' });
  expect(error.message).toContain('set export.dir to a folder');
});

test('an export folder that is a file is a settings error', async () => {
  const file = join(await newFolder(), 'file');
  await writeFile(file, 'kept');
  expect(await errorOf(exportInto(file, 1))).toMatchObject({ kind: 'setting', file });
});

test('an export folder that is a loop of links is a settings error', async () => {
  const link = join(await newFolder(), 'link');
  await symlink(link, link);
  expect(await errorOf(exportInto(link, 1))).toMatchObject({ kind: 'setting', file: link });
});

test('a folder in place of a file is named in the error, and nothing is published', async () => {
  const dir = await newFolder();
  await mkdir(join(dir, 'domains.ndjson'));
  const error = await errorOf(exportInto(dir, 1));
  expect(error).toMatchObject({ kind: 'setting', file: join(dir, 'domains.ndjson'), code: 'EISDIR' });
  expect(await filesIn(dir)).toEqual({});
});

test('an error of the export source is rethrown, and no file is left', async () => {
  const dir = await newFolder();
  const fault = faultOf('ENOSPC');
  const source = sourceOf(
    {
      domains: {
        all: () => {
          throw fault;
        },
      },
    },
    generatedSource(10, 2, 1),
  );
  await expect(exportAll({ source, dir, now: () => 0, toolVersion: '1.0.0' })).rejects.toBe(fault);
  expect(await filesIn(dir)).toEqual({});
});
