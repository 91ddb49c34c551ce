import type { Domain } from '../../model/domain/domain.ts';
import type { ReportView } from '../../report/view.ts';

/** The answer to a request for a check. Times are milliseconds since the epoch. */
export type CheckAnswer =
  /** `againAt`: until then, every request gets this report. */
  | { readonly kind: 'done'; readonly report: ReportView; readonly againAt: number }
  /** The check has not finished. */
  | { readonly kind: 'running' }
  /** Other checks are running; ask again in a moment. */
  | { readonly kind: 'waiting' }
  /** A limit per hour is reached: that of the visitor, of the host and its registrable domain, or of all checks. */
  | { readonly kind: 'limited'; readonly by: 'visitor' | 'host' | 'all'; readonly retryAfterSeconds: number }
  /** The owner of the domain has opted out. */
  | { readonly kind: 'withheld' }
  /** The check failed on our side. */
  | { readonly kind: 'failed' };

/** Checks servers for visitors. */
export interface CheckDesk {
  /**
   * The report on a server, or the state of its check, which is started if needed.
   *
   * @param admit charges a new check to the limit of the visitor; returns the seconds to wait, 0 when the check may start.
   */
  check(domain: Domain, admit: () => Promise<number>): Promise<CheckAnswer>;
}
