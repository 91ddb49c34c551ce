import type { Domain } from '../../model/domain/domain.ts';
import type { EpochMs } from '../../model/time.ts';
import type { ReportView } from '../../report/view.ts';

/** The answer to a request for a check. */
export type CheckAnswer =
  /** `againAt`: until then, every request gets this report. */
  | { readonly kind: 'done'; readonly report: ReportView; readonly againAt: EpochMs }
  /** The check has not finished. `seconds`: how long it has run. */
  | { readonly kind: 'running'; readonly seconds: number }
  /** Other checks are running; ask again in a moment. */
  | { readonly kind: 'waiting' }
  /** An hourly limit is reached: that of the client, of the host and its registrable domain, or of all checks. */
  | { readonly kind: 'limited'; readonly by: 'client' | 'host' | 'all'; readonly retryAfterSeconds: number }
  /** The owner of the domain, or of a host that the report would name, has opted out. */
  | { readonly kind: 'opted-out' }
  /** The check failed on our side. */
  | { readonly kind: 'failed' };

/**
 * The report on a server for a user of the pages, or the state of its check, which is started if needed.
 *
 * @param countAgainstLimit counts a new check, or a request for an opted-out domain, against the hourly limit of the client; returns the
 *   seconds to wait, 0 when the request is allowed.
 */
export type CheckForUser = (domain: Domain, countAgainstLimit: () => Promise<number>) => Promise<CheckAnswer>;
