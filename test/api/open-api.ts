import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest';
import { type ApiOptions, createApi } from '../../src/api/create-api.ts';
import { createDirectory } from '../../src/directory/directory.ts';
import { explainFrom } from '../../src/service/explain-domain.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { createErrorPage, createFrame } from '../../src/site/routes.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { scratchPath } from '../store/scratch.ts';
import { START } from './fill-store.ts';

/** The API over a database filled by `fill`, until the test finishes. The clock is one day after START. */
export async function openApi(fill: (store: Store) => void = () => {}, changes: Partial<ApiOptions> = {}) {
  const opened = await openApiAt(scratchPath(), fill, changes);
  onTestFinished(() => opened[Symbol.asyncDispose]());
  return opened;
}

type OpenedApi = Awaited<ReturnType<typeof openApiAt>>;

/** One API shared by tests of a file; they must not change its data. */
export function shareApi(fill: (store: Store) => void): () => OpenedApi {
  let opened: OpenedApi;
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-store-'));
  beforeAll(async () => {
    opened = await openApiAt(join(folder, 'store.sqlite'), fill, {});
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  return () => opened;
}

/** The files of a fake export; `exported-files.test.ts` tests real ones. */
const EXPORTED = new Set([
  'instances.json',
  'schema/instances.json',
  'history/index.json',
  'visits/2026-01.parquet',
  'usage/2026-01.parquet',
]);
const EXPORTED_FILE = { bytes: 2, etag: 'W/"1"', read: () => Readable.from([Buffer.from('{}')]) };

async function openApiAt(path: string, fill: (store: Store) => void, changes: Partial<ApiOptions>) {
  const now = () => START + 24 * 3_600_000;
  const store = await openStore({ path });
  fill(store);
  const settings = loadSettings({ file: null, env: {}, cwd: dirname(path), flags: { database: path } });
  const errors: unknown[] = [];
  const reader = store.reader();
  const directory = createDirectory({
    reader,
    openSnapshot: () => store.reader({ snapshot: true }),
    onError: (error) => errors.push(error),
    now,
    clock: () => performance.now(),
  });
  const api = await createApi({
    errorPage: createErrorPage(),
    renderPage: createFrame(),
    logger: pino({ level: 'silent' }),
    version: '1.0.0',
    directory,
    reader,
    explain: (domain, options) => explainFrom(reader, settings, domain, options),
    findExportedFile: (name) => (EXPORTED.has(name) ? EXPORTED_FILE : null),
    health: () => ({ status: 'ok', problems: [] }),
    allowSuffixes: () => [],
    ratePerMinute: 0,
    submissions: 'off',
    submissionsPerHour: 10,
    trustProxy: false,
    now,
    clock: () => performance.now(),
    ...changes,
  });
  await directory.started;
  await vi.waitFor(() => directory.history(), { timeout: 10_000, interval: 5 });
  if (errors.length > 0) throw errors[0];
  const get = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await api.inject({ url, headers });
    return { ...answer, status: answer.statusCode, text: answer.payload, json: () => JSON.parse(answer.payload) };
  };
  const close = async () => {
    await api.close();
    await directory[Symbol.asyncDispose]();
    reader[Symbol.dispose]();
    await store[Symbol.asyncDispose]();
  };
  return { api, store, directory, get, [Symbol.asyncDispose]: close };
}
