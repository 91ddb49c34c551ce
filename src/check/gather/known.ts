import type { Domain } from '../../domain/domain.ts';
import type { HostAddress } from '../../http/resolver.ts';
import type { Visit } from '../../record/visit.ts';
import type { Evidence } from '../evidence.ts';

/** What requests are built from. */
export interface Known {
  domain: Domain;
  /** Those of the host, judged already; none when it has none that may be connected to. */
  addresses: readonly HostAddress[];
  visit: Visit;
  /** What was answered so far. */
  answers: Partial<Evidence['answers']>;
  /** A word that nobody can have used, drawn anew for each. */
  unheardOf: () => string;
}
