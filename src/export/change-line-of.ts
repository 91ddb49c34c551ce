import type { DomainChange } from '../record/domain-change.ts';
import { withholdNamed } from '../record/withhold-named.ts';
import type { ExportSource } from './export-source.ts';
import { isoTime } from './iso-time.ts';
import type { ChangeLine } from './schema/change-line.ts';

/** A change as it is published: null in the place of a domain that is named and of which nothing may be published. */
export function changeLineOf(change: DomainChange, isWithheld: ExportSource['isWithheld']): ChangeLine {
  const { domain, at, field, from, to, cause } = withholdNamed(change, isWithheld);
  return { domain, at: isoTime(at), field, from, to, cause };
}
