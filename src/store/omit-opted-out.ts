import type { Domain } from '../domain/domain.ts';
import type { DomainRecord } from '../record/domain-record.ts';
import type { Step } from '../record/step.ts';
import type { Compiler } from './compiler.ts';
import { namedHosts } from './named-hosts.ts';
import { createOptedOutLookUp } from './opted-out.ts';
import type { Sqlite } from './sqlite.ts';

/** Leaves out of what is about to be recorded what names a domain that opted out. Runs inside the caller's transaction. */
export interface OptedOutOmission {
  /** Null in the place of a domain that opted out. */
  omit(domain: Domain | null): Domain | null;
  /** A record without the opted-out that it names. */
  omitOf(record: DomainRecord): DomainRecord;
  /** Null in the place of steps that name one, as after an opt-out: of steps with a gap it could not be told that there is one. */
  omitFrom(steps: readonly Step[], own: Domain): readonly Step[] | null;
}

/** Asks the database of each other domain that is named, and nothing when none is. */
export function createOptedOutOmission(sqlite: Sqlite, db: Compiler): OptedOutOmission {
  const isOptedOut = createOptedOutLookUp(sqlite, db);
  const omit = (domain: Domain | null) => (domain !== null && isOptedOut(domain) ? null : domain);
  return {
    omit,
    omitOf: (record) => {
      const { aliasOf, host } = record;
      if (aliasOf === null && host.pointsTo === null) return record;
      return { ...record, aliasOf: omit(aliasOf), host: { ...host, pointsTo: omit(host.pointsTo) } };
    },
    omitFrom: (steps, own) => ([...namedHosts(steps, own)].some(isOptedOut) ? null : steps),
  };
}
