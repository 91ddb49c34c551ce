import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exportAll } from '../../../src/export/export-all.ts';
import { type InstancesState, ReadError, type ReadInstancesOptions, readInstances } from '../../../src/index.ts';
import { serveHttp } from '../../serve-http.ts';
import { newFolder } from '../export-folder.ts';
import { generatedSource } from '../generated-source.ts';

/** The first export; each test uses a copy. */
let exported: string;
let dir: string;
let path: string;
const closers: (() => Promise<unknown>)[] = [];

const exportTo = (dir: string, generation: number) =>
  exportAll({ source: generatedSource(0, 3, generation), dir, now: () => generation * 1000, toolVersion: '1.0.0' });
const exportHere = (generation: number) => exportTo(dir, generation);

beforeAll(async () => {
  exported = await mkdtemp(join(tmpdir(), 'loopscout-export-'));
  await exportTo(exported, 1);
});
afterAll(() => rm(exported, { recursive: true }));
beforeEach(async () => {
  dir = await newFolder();
  path = join(dir, 'instances.json');
  await cp(exported, dir, { recursive: true, preserveTimestamps: true });
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = await serveHttp(listener);
  closers.push(() => server[Symbol.asyncDispose]());
  return `${server.url}/instances.json`;
}

const readErrorOf = (read: Promise<unknown>): Promise<ReadError> =>
  read.then(
    () => expect.unreachable('it was read'),
    (error) => {
      expect(error).toBeInstanceOf(ReadError);
      return error;
    },
  );

type LooseEntry = Record<string, Record<string, unknown>>;
interface LooseFile {
  counts: object;
  instances: [LooseEntry, LooseEntry, LooseEntry];
}

/** Writes a changed copy of the exported file and returns its path. */
async function changedCopy(change: (file: LooseFile) => unknown): Promise<string> {
  const file = JSON.parse(await readFile(path, 'utf8'));
  change(file);
  const changedPath = join(dir, 'changed.json');
  await writeFile(changedPath, JSON.stringify(file));
  return changedPath;
}

describe('readInstances from a file', () => {
  test('returns the entries unchanged, by path, by URL and by URL text', async () => {
    const { instances, counts, generatedAt } = JSON.parse(await readFile(path, 'utf8'));
    for (const source of [path, pathToFileURL(path), pathToFileURL(path).href]) {
      const read = await readInstances(source);
      expect(read).toEqual({
        etag: expect.any(String),
        lastModified: expect.any(String),
        instances,
        counts,
        generatedAt,
        skipped: 0,
        changed: true,
      });
    }
  });

  test('reports the file as unchanged until an export changes it, even with a state restored from JSON', async () => {
    const first = await readInstances(path);
    const previous = JSON.parse(JSON.stringify(first)) as InstancesState;
    await exportHere(1);
    const second = await readInstances(path, { previous });
    expect(second).toEqual({ ...first, changed: false });
    expect(second.instances).toBe(previous.instances);

    await exportHere(2);
    const third = await readInstances(path, { previous: second });
    expect(third).toMatchObject({ changed: true, instances: [{ version: '2' }, { version: '2' }, { version: '2' }] });
  });

  test.each<[string, () => Promise<string>, string]>([
    ['a missing file', async () => join(dir, 'nothing.json'), 'there is no such file'],
    ['a folder', async () => dir, 'name the instances.json inside it'],
    ['a path through a file', async () => join(path, 'x'), 'ENOTDIR'],
  ])('refuses %s with a clear message', async (_name, source, why) => {
    const error = await readErrorOf(readInstances(await source()));
    expect(error).toMatchObject({ fault: 'unreachable', message: expect.stringContaining(why) });
  });
});

describe('readInstances over HTTP', () => {
  test('sends the validators of the previous response, and treats 304 as unchanged', async () => {
    const conditions: (string | undefined)[][] = [];
    const url = await serve(async ({ headers }, response) => {
      conditions.push([headers['if-none-match'], headers['if-modified-since']]);
      response.setHeader('etag', '"one"').setHeader('last-modified', 'Thu, 01 Jan 1970 00:00:01 GMT');
      if (headers['if-none-match'] === '"one"') response.writeHead(304).end();
      else response.end(await readFile(path));
    });
    const first = await readInstances(url);
    expect(first).toMatchObject({ changed: true, etag: '"one"', lastModified: 'Thu, 01 Jan 1970 00:00:01 GMT' });
    const second = await readInstances(new URL(url), { previous: first });
    expect(second).toEqual({ ...first, changed: false });
    expect(conditions).toEqual([
      [undefined, undefined],
      ['"one"', 'Thu, 01 Jan 1970 00:00:01 GMT'],
    ]);
  });

  test('uses Last-Modified if there is no ETag', async () => {
    const date = 'Thu, 01 Jan 1970 00:00:01 GMT';
    const url = await serve(async ({ headers }, response) => {
      response.setHeader('last-modified', date);
      if (headers['if-modified-since'] === date) response.writeHead(304).end();
      else response.end(await readFile(path));
    });
    const first = await readInstances(url);
    expect(first).toMatchObject({ etag: null, lastModified: date, changed: true });
    expect(await readInstances(url, { previous: first })).toMatchObject({ changed: false });
  });

  test('detects an unchanged file without validators', async () => {
    const url = await serve(async (_request, response) => response.end(await readFile(path)));
    const first = await readInstances(url);
    const second = await readInstances(url, { previous: first });
    expect(second).toMatchObject({ etag: null, lastModified: null, changed: false });
    await exportHere(2);
    expect(await readInstances(url, { previous: second })).toMatchObject({ changed: true });
  });

  test('detects a change by content, not by the time in the file or the ETag', async () => {
    const old = await readFile(path, 'utf8');
    let text = old;
    let tag = 0;
    const url = await serve((_request, response) => response.setHeader('etag', `"${tag++}"`).end(text));
    const first = await readInstances(url);
    const again = await readInstances(url, { previous: JSON.parse(JSON.stringify(first)) });
    expect(again).toMatchObject({ etag: '"1"', changed: false });
    text = old.replaceAll('"version":"1"', '"version":"9"');
    const third = await readInstances(url, { previous: again });
    expect(third).toMatchObject({ generatedAt: first.generatedAt, changed: true });
    expect(third.instances[0]?.version).toBe('9');
  });

  test('sends the given headers and reads a compressed response', async () => {
    const url = await serve(async ({ headers }, response) => {
      expect(headers).toMatchObject({ authorization: 'Bearer x', 'user-agent': 'a directory' });
      response.setHeader('content-encoding', 'gzip').end(gzipSync(await readFile(path)));
    });
    const headers = { authorization: 'Bearer x', 'user-agent': 'a directory' };
    expect((await readInstances(url, { headers })).instances).toHaveLength(3);
  });

  test('stops at the size limit, which applies to decompressed bytes', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000, ' '));
    const url = await serve((_request, response) => response.setHeader('content-encoding', 'gzip').end(bomb));
    const error = await readErrorOf(readInstances(url, { maxBytes: 1_000_000 }));
    expect(bomb.byteLength).toBeLessThan(100_000);
    expect(error).toMatchObject({
      fault: 'too-large',
      message: `cannot read ${url}: it has more than 1000000 bytes (maxBytes)`,
    });
    expect(await readErrorOf(readInstances(path, { maxBytes: 100 }))).toMatchObject({ fault: 'too-large' });
  });

  test('fails if the body does not end in time, and rejects with the reason of an aborted signal', async () => {
    const url = await serve((_request, response) => response.write('{'));
    expect(await readErrorOf(readInstances(url, { timeoutMs: 100 }))).toMatchObject({ fault: 'timed-out' });
    const reason = new Error('enough');
    const controller = new AbortController();
    const read = readInstances(url, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 50);
    await expect(read).rejects.toBe(reason);
    await expect(readInstances(path, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test.each([404, 500, 204, 304])('refuses status %i', async (status) => {
    const url = await serve((_request, response) => response.writeHead(status).end());
    expect(await readErrorOf(readInstances(url))).toMatchObject({ fault: 'status', status });
  });

  test('fails if the response is truncated or the connection is refused', async () => {
    const cut = await serve((_request, response) => {
      response.setHeader('content-length', 5000).write('{"schemaVersion":1');
      setTimeout(() => response.destroy(), 20);
    });
    expect(await readErrorOf(readInstances(cut))).toMatchObject({ fault: 'unreachable' });
    const closed = await serve(() => {});
    await closers.pop()?.();
    const error = await readErrorOf(readInstances(closed));
    expect(error).toMatchObject({ fault: 'unreachable', message: expect.stringContaining('(ECONNREFUSED)') });
  });

  test.each([
    'ftp://example.org/instances.json',
    'https://',
    'data:application/json,{}',
    'file://elsewhere/instances.json',
    'file:///a%2Fb',
  ])('refuses %s', async (source) => {
    expect(await readErrorOf(readInstances(source))).toMatchObject({ fault: 'no-address' });
  });

  test('does not repeat the password of a URL', async () => {
    const error = await readErrorOf(readInstances('https://ada:secret@example.org/instances.json'));
    expect(error.message).toContain('headers.authorization');
    expect(JSON.stringify(error) + error.message).not.toContain('secret');
  });
});

describe('a file', () => {
  test('may have fields and words of a later version', async () => {
    const later = await changedCopy((file) => {
      Object.assign(file, { later: 1 });
      Object.assign(file.counts, { later: 1 });
      const [entry] = file.instances;
      Object.assign(entry, { later: [1], via: 'carrier-pigeon', status: 'asleep' });
      Object.assign(entry.usage ?? {}, { comments: 5 });
      (entry.flags as unknown as string[]).push('seen-by-moonlight');
    });
    const before = await readInstances(path);
    const [expected, ...rest] = before.instances;
    const read = await readInstances(later);
    expect(read.instances).toEqual([{ ...expected, via: null, status: null }, ...rest]);
    expect(read.skipped).toBe(0);
    expect(read.instances[0]?.flags).toEqual(['version-mismatch']);
  });

  test('may lack fields that an earlier version did not have, and those read as null', async () => {
    const earlier = await changedCopy((file) => {
      const [entry] = file.instances;
      delete entry.federation;
      delete entry.joinable;
      delete entry.features;
      delete entry.usage?.activeHalfyear;
    });
    const [entry] = (await readInstances(earlier)).instances;
    expect(entry).toMatchObject({
      federation: null,
      joinable: null,
      features: { forYouFeed: null, gifProvider: null },
      usage: { users: 100, activeHalfyear: null },
    });
  });

  test.each([0, 2, 99])('is refused with a clear message if its schemaVersion is %i', async (schemaVersion) => {
    const error = await readErrorOf(readInstances(await changedCopy((file) => Object.assign(file, { schemaVersion }))));
    expect(error.fault).toBe('other-schema');
    expect(error.message).toContain(`its schemaVersion is ${schemaVersion}, but this version reads 1; `);
    expect(error.message.includes('update this package')).toBe(schemaVersion > 1);
  });

  test.each<[string, object]>([
    ['a field of the wrong type', { federation: 0 }],
    ['another host in its url', { url: 'https://elsewhere.example.org' }],
    ['a javascript: URL', { url: 'javascript:alert(1)' }],
    ['a url without TLS', { url: 'http://h1.example.org' }],
    ['an IP address instead of a domain', { domain: '127.0.0.1', url: 'https://127.0.0.1' }],
    ['markup instead of a domain', { domain: 'x"><script>.org', url: 'https://x"><script>.org' }],
    ['a path in its domain', { domain: 'x.org/../y', url: 'https://x.org/../y' }],
    ['a user name before its domain', { domain: 'ada@x.org', url: 'https://ada@x.org' }],
    ['a domain in capitals', { domain: 'X.org', url: 'https://X.org' }],
  ])('is read without an entry that has %s; the entry is counted as skipped', async (_name, invalid) => {
    const [first, , third] = (await readInstances(path)).instances;
    const read = await readInstances(await changedCopy((file) => Object.assign(file.instances[1], invalid)));
    expect(read.instances).toEqual([first, third]);
    expect(read.skipped).toBe(1);
  });

  test('may have domains with ports, or no entries', async () => {
    const other = { domain: 'x.org:8443', url: 'https://x.org:8443' };
    const read = await readInstances(await changedCopy((file) => Object.assign(file.instances[1], other)));
    expect(read.instances[1]).toMatchObject(other);
    const empty = await readInstances(await changedCopy((file) => Object.assign(file, { instances: [] })));
    expect(empty).toMatchObject({ instances: [], skipped: 0 });
  });

  test('is refused if no entry is valid, with the location of the first fault', async () => {
    const source = await changedCopy((file) => {
      for (const entry of file.instances) Object.assign(entry, { federation: 0 });
    });
    const error = await readErrorOf(readInstances(source));
    expect(error.fault).toBe('not-instances');
    expect(error.message).toMatch(/instances\.0\.federation: .*boolean/);
  });

  test.each([
    ['not-json', '<!doctype html>'],
    ['not-json', ''],
    ['not-json', '{"schemaVersion":1,'],
    ['not-instances', 'null'],
    ['not-instances', '[]'],
    ['not-instances', '{"schemaVersion":"1"}'],
    ['not-instances', '{"schemaVersion":1}'],
  ])('is refused as %s if it is %j', async (fault, text) => {
    await mkdir(join(dir, 'other'), { recursive: true });
    const file = join(dir, 'other', 'file.json');
    await writeFile(file, text);
    expect(await readErrorOf(readInstances(file))).toMatchObject({ fault });
  });
});

describe('an invalid option', () => {
  const previous = (validators: object) => ({ previous: validators as InstancesState });
  test.each<[string, ReadInstancesOptions]>([
    ['timeoutMs', { timeoutMs: Number.POSITIVE_INFINITY }],
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['timeoutMs', { timeoutMs: 2 ** 31 }],
    ['maxBytes', { maxBytes: Number.NaN }],
    ['maxBytes', { maxBytes: -1 }],
    ['headers.a b', { headers: { 'a b': 'c' } }],
    ['headers.authorization', { headers: { authorization: 'a\nb' } }],
    ['previous.etag', previous({ etag: '"\n"' })],
    ['previous.etag', previous({ etag: '"\u2028"' })],
    ['previous.lastModified', previous({ etag: null, lastModified: 5 })],
  ])('is a TypeError that names %s: %j', async (name, options) => {
    for (const source of [path, 'http://127.0.0.1:9/instances.json']) {
      const error = await readInstances(source, options).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(TypeError);
      expect((error as TypeError).message).toMatch(new RegExp(`^${name} is `));
    }
  });
});

test('readInstances accepts an unlimited maxBytes', async () => {
  expect((await readInstances(path, { maxBytes: Number.POSITIVE_INFINITY })).instances).toHaveLength(3);
});
