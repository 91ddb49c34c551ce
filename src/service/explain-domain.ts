import { explain } from '../explain/explain.ts';
import type { Explanation } from '../explain/explanation.ts';
import { ROBOTS_TOKEN } from '../http/robots.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { EpochMs } from '../model/time.ts';
import type { Settings } from '../settings/schema.ts';
import type { StoreReader } from '../store/store-reader.ts';
import { openReader } from '../store/store-reader.ts';

export interface ExplainOptions {
  /** How many of the last visits are included. */
  visits: number;
  now: EpochMs;
  /** The newest release of the software; null when unknown. Default: read from the database, which can be slow. */
  newest?: string | null;
  /** Whether a visitor of the pages or the API asks. */
  isVisitor?: boolean;
}

export function explainFrom(
  reader: StoreReader,
  settings: Settings,
  domain: Domain,
  options: ExplainOptions,
): Explanation {
  return explain(reader, domain, {
    ...options,
    policy: settings.cadence,
    softwareId: settings.softwareId,
    robotsToken: ROBOTS_TOKEN,
    staleDays: settings.flags.staleDays,
  });
}

/**
 * Explains why a domain is listed or not. Only reads the database, even while a service is using it.
 *
 * @throws {StoreError} when the database does not exist or cannot be read.
 */
export function explainDomain(settings: Settings, domain: Domain, options: ExplainOptions): Explanation {
  using reader = openReader(settings.database, {
    snapshot: true,
    flags: settings.flags,
  });
  return explainFrom(reader, settings, domain, options);
}
