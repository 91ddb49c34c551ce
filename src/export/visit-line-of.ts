import type { VisitOutcome } from '../record/visit-outcome.ts';
import type { ExportSource } from './export-source.ts';
import { isoTime } from './iso-time.ts';
import { namedDomain } from './named-domain.ts';
import type { VisitLine } from './schema/visit-line.ts';

/** A visit as it is published. */
export function visitLineOf(visit: VisitOutcome, isWithheld: ExportSource['isWithheld']): VisitLine {
  return {
    ...visit,
    at: isoTime(visit.at),
    aliasOf: namedDomain(visit.aliasOf, isWithheld),
    flags: visit.flags === null ? null : [...visit.flags],
  };
}
