import type { Domain } from '../domain/domain.ts';
import type { ExportSource } from './export-source.ts';

/** A domain that another leads to, as it is published: null when nothing may be published of it. */
export function namedDomain(domain: Domain | null, isWithheld: ExportSource['isWithheld']): Domain | null {
  return domain !== null && isWithheld(domain) ? null : domain;
}
