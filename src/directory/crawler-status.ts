import type { DueKind } from '../store/domains/known-domains.ts';
import type { Worker } from './worker.ts';

/** The health of the process that serves the pages, which may also be the crawler. Times are ISO 8601, in UTC. */
export interface CrawlerStatus {
  readonly status: 'ok' | 'degraded' | 'failing';
  /** One sentence each. */
  readonly problems?: readonly string[];
  readonly warnings?: readonly string[];
  readonly version?: string;
  readonly startedAt?: string;
  /** Like most of the following, missing when the process does not crawl. */
  readonly crawl?: {
    readonly phase: 'idle' | 'crawling' | 'offline' | 'stopping';
    readonly offlineSince: string | null;
  };
  readonly backlog?: Readonly<Record<DueKind, { readonly due: number; readonly lateSeconds: number | null }>>;
  /** In the last hour. */
  readonly visits?: {
    readonly total?: number;
    readonly byVerdict: Readonly<Record<string, number>>;
    /** Unreachable hosts by failure class, as a share of all visits. */
    readonly failureRates?: Readonly<Record<string, number>>;
  };
  /** The workers seen in the last 30 days; missing when there were none. */
  readonly workers?: readonly Worker[];
  readonly export?: { readonly lastAt: string | null; readonly guard: 'passed' | 'refused' | null };
  readonly compaction?: { readonly lastAt: string | null };
  readonly memory?: { readonly rssBytes: number };
}
