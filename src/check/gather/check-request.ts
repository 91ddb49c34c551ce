import type { RequestName } from '../request-name.ts';
import type { Asked } from './ask.ts';
import type { Known } from './known.ts';

/** A request that a check can make. */
export interface CheckRequest {
  name: RequestName;
  /** Why it changes nothing at the server, and costs it next to nothing. */
  harmless: string;
  /** It is built from the answer to this one, which comes before it in the table. */
  after?: RequestName;
  /**
   * Whom it is for. `everyone`: any host, one without an address too. `site`: a host that answers. `service`: one that may be a
   * server of the service.
   */
  of: 'everyone' | 'site' | 'service';
  /** Null when there is no need, or no way. */
  build(known: Known): Asked | null;
}
