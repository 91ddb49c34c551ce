import { findCut } from './as-of-cut.ts';
import { showPastDomains } from './as-of-domains.ts';
import { showPastFacts } from './as-of-facts.ts';
import { showPastSources } from './as-of-sources.ts';
import { showPastHistory } from './as-of-views.ts';
import type { Sqlite } from './sqlite.ts';

export interface AsOf {
  /** Epoch milliseconds. */
  at: number;
  /** Leaves out the domains that never were Loops nor redirected: enough for the directory, and much less work. */
  everLoops?: boolean;
}

/** Of what is temporary, so much is held in memory; the rest is in a temporary file. */
const CACHE_KIB = 16 * 1024;

/**
 * Makes a read-only connection show the database as it stood at a past moment: what is published of each domain, the history up to
 * then, and what a replay has since decided otherwise as it was decided first. Domains that were forgotten since are missing. To be
 * called in a read transaction that stays open.
 *
 * @throws AsOfError when the moment cannot be told.
 */
export function showPast(sqlite: Sqlite, { at, everLoops = false }: AsOf): void {
  const cut = findCut(sqlite, at);
  sqlite.pragma(`temp.cache_size = -${CACHE_KIB}`);
  showPastHistory(sqlite, cut);
  showPastDomains(sqlite, cut, everLoops);
  showPastFacts(sqlite, cut);
  showPastSources(sqlite, cut);
}
