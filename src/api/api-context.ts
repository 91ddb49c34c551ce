import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Directory } from '../directory/directory.ts';
import type { Submit } from '../directory/submit.ts';
import type { Explanation } from '../explain/explanation.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { EpochMs } from '../model/time.ts';
import type { StoreReader } from '../store/store-reader.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { HealthStatus } from './resources/health.ts';

/** The dependencies of endpoints. */
export interface ApiContext {
  readonly directory: Directory;
  /** It is not a snapshot: it sees every commit. */
  readonly reader: StoreReader;
  readonly explain: (domain: Domain, options: { visits: number; now: number }) => Explanation;
  /** Finds a file of the last export by its name; null when there is none. */
  readonly findExportedFile: (
    name: string,
  ) => { readonly bytes: number; readonly etag: string; read(): Readable } | null;
  /** Renders a page of the API in the frame of the site. */
  readonly renderPage: (page: { path: string; title: string; description: string; content: string }) => string;
  readonly health: () => HealthStatus;
  readonly metrics: Metrics;
  /** Suffixes accepted even if they are reserved or unknown. */
  readonly allowSuffixes: () => readonly string[];
  readonly submissions: Submit;
  /** Counts a submission against the hourly limit of the client's address, which checks share. */
  readonly countSubmission: ReturnType<FastifyInstance['createRateLimit']>;
  readonly now: () => EpochMs;
}
