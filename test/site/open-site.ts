import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { listen } from '../../src/service/web-server.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { fillHistory, type HistoryOptions, NOW } from './site-store.ts';

/** The size of the site that the browser tests read. */
export const TWO_YEARS: HistoryOptions = { instances: 500, days: 730, everyDays: 7 };

export interface OpenedSite extends AsyncDisposable {
  readonly url: string;
  /** The database. */
  readonly path: string;
  readonly store: Store;
}

interface SiteOptions extends Partial<Pick<Parameters<typeof listen>[0], 'check' | 'health' | 'submit' | 'now'>> {
  /** Adds data to the store before the site is opened. */
  fill?: (store: Store) => void;
  /** The setting `site`. */
  site?: object;
}

/**
 * Serves the API and the pages of instances with a history on a free port of 127.0.0.1. The caller closes the site. With `check`, pages
 * offer checks; with `submit`, visits.
 */
export async function openSite(
  history: HistoryOptions = TWO_YEARS,
  { fill, site = {}, ...more }: SiteOptions = {},
): Promise<OpenedSite> {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-site-'));
  const path = join(folder, 'store.sqlite');
  const store = await openStore({ path });
  fillHistory(store, history);
  fill?.(store);
  const settings = loadSettings({
    ...{ file: null, env: {}, cwd: dirname(path) },
    flags: {
      ...{ database: path, site },
      serve: { port: 0, ratePerMinute: 0, check: more.check !== undefined, submissions: more.submit !== undefined },
    },
  });
  const server = await listen({
    settings,
    logger: pino({ level: 'silent' }),
    health: () => ({ status: 'ok', problems: [] }),
    now: () => NOW,
    ...more,
  });
  while ((await fetch(`${server.url}/api/v1/stats/history`)).status === 503) await delay(20);
  return {
    ...{ url: server.url, path, store },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
