import { mkdtempSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { exportAll } from '../../src/export/export-all.ts';
import { createExportedFiles } from '../../src/export/files/exported-files.ts';
import type { Manifest } from '../../src/export/schema/manifest.ts';
import { emptySource, START } from '../export/row-of.ts';
import { scratchPath } from '../store/scratch.ts';
import { openApi } from './open-api.ts';

/** An API that serves the files of an empty export; `bytesOf` reads a file from the disk. */
async function open() {
  const dir = mkdtempSync(join(dirname(scratchPath()), 'export-'));
  await exportAll({ source: emptySource, dir, now: () => START, toolVersion: '1.0.0' });
  const opened = await openApi(() => {}, { findExportedFile: createExportedFiles(() => dir) });
  return { ...opened, dir, bytesOf: (name: string) => readFileSync(join(dir, name)) };
}

test('every file of the export is served as it is on the disk, with its type and an ETag', async () => {
  const { api, dir, bytesOf, get } = await open();
  const { files }: Manifest = JSON.parse(bytesOf('manifest.json').toString());
  for (const name of [...files.map((file) => file.name), 'manifest.json']) {
    const { rawPayload, statusCode, headers } = await api.inject({ url: `/${name}` });
    expect([name, statusCode, rawPayload.equals(bytesOf(name))]).toEqual([name, 200, true]);
    const etag = String(headers.etag);
    const again = await get(`/${name}`, { 'if-none-match': etag });
    expect([name, again.status, again.text]).toEqual([name, 304, '']);
  }
  expect((await get('/instances.json')).headers['content-type']).toBe('application/json; charset=utf-8');
  expect((await get('/feed.atom')).headers['content-type']).toBe('application/atom+xml; charset=utf-8');
  const before = (await get('/domains.txt')).headers.etag;
  writeFileSync(join(dir, 'new'), 'new.example.org\n');
  renameSync(join(dir, 'new'), join(dir, 'domains.txt'));
  const after = await get('/domains.txt', { 'if-none-match': String(before) });
  expect([after.status, after.text]).toEqual([200, 'new.example.org\n']);
});

test('a client that accepts gzip gets the compressed copy, and a response to HEAD has the size of the file', async () => {
  const { api, bytesOf } = await open();
  const compressed = await api.inject({ url: '/CODEBOOK.md', headers: { 'accept-encoding': 'br, gzip' } });
  expect(compressed.headers['content-encoding']).toBe('gzip');
  expect(compressed.rawPayload.equals(bytesOf('CODEBOOK.md.gz'))).toBe(true);
  expect(gunzipSync(compressed.rawPayload).equals(bytesOf('CODEBOOK.md'))).toBe(true);
  const refused = await api.inject({ url: '/CODEBOOK.md', headers: { 'accept-encoding': 'gzip;q=0' } });
  expect(refused.headers['content-encoding']).toBeUndefined();
  const head = await api.inject({ method: 'HEAD', url: '/CODEBOOK.md' });
  expect([head.headers['content-length'], head.payload]).toEqual([String(bytesOf('CODEBOOK.md').length), '']);
});

test('only files of the manifest are served: no temporary or other file, no link, and nothing outside the folder', async () => {
  const { dir, get } = await open();
  writeFileSync(join(dir, '.instances.json.1.tmp'), 'temporary');
  writeFileSync(join(dir, 'notes.txt'), 'unlisted');
  writeFileSync(join(dir, '..', 'secret.txt'), 'outside');
  const manifest: Manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'));
  const entry = { bytes: 7, sha256: '0'.repeat(64), schema: null };
  manifest.files.push({ ...entry, name: '../secret.txt' }, { ...entry, name: 'link.txt' });
  symlinkSync(join(dir, '..', 'secret.txt'), join(dir, 'link.txt'));
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest));
  for (const path of [
    ...['.instances.json.1.tmp', 'notes.txt', 'link.txt', 'schema', 'schema/', 'nothing.json'],
    ...['../secret.txt', '..%2fsecret.txt', '%2e%2e/secret.txt', 'schema/..%2f..%2fsecret.txt', 'a%00'],
  ]) {
    const { status, text } = await get(`/${path}`);
    expect([path, status]).toEqual([path, 404]);
    expect(text).not.toMatch(/temporary|unlisted|outside/);
  }
  expect((await get('/instances.json')).status).toBe(200);
});
