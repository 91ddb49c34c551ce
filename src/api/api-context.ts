import type { FastifyInstance } from 'fastify';
import type { Explanation } from '../explain/explanation.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { StoreReader } from '../store/store-reader.ts';
import type { Directory } from '../views/directory.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { About } from './pages/about.ts';
import type { Told } from './resources/health.ts';
import type { SubmissionDesk } from './submission-desk.ts';

/** What endpoints answer from. */
export interface ApiContext {
  readonly directory: Directory;
  /** Follows what is committed. */
  readonly reader: StoreReader;
  readonly explain: (domain: Domain, options: { visits: number; now: number }) => Explanation;
  /** What the crawler is, by the settings in force; the same object as long as these are the same. */
  readonly about: () => About;
  readonly health: () => Told;
  readonly metrics: Metrics;
  /** Suffixes that domains may have although they are reserved. */
  readonly allowSuffixes: () => readonly string[];
  readonly submissions: SubmissionDesk;
  /** Counts a submission against the hourly limit of the client's address. */
  readonly countSubmission: ReturnType<FastifyInstance['createRateLimit']>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
