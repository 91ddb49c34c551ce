import type { Withholding } from '../domain/withhold-names.ts';
import type { DomainRecord } from '../record/domain-record.ts';
import type { Visit } from '../record/visit.ts';

/** What a visit says of an instance, without the names of those who have opted out. */
export function withholdSaid<Said extends Pick<Visit, 'software' | 'version' | 'facts'>>(
  said: Said,
  { inText }: Withholding,
): Said {
  const { software, version, facts } = said;
  const text = JSON.stringify({ software, version, facts });
  const told = inText(text);
  return told === text ? said : { ...said, ...(JSON.parse(told) as Pick<Visit, 'software' | 'version' | 'facts'>) };
}

/** A visit that was under way when somebody opted out, without their name in what it read. Its steps and pointers are seen to elsewhere. */
export function withholdRead(visit: Visit, withholding: Withholding): Visit {
  const { documents, robots } = visit;
  const told = Object.entries(documents).map(([kind, body]) => [kind, withholding.inBody(body)]);
  const body = robots?.body ?? null;
  return {
    ...withholdSaid(visit, withholding),
    documents: Object.fromEntries(told) as Visit['documents'],
    robots: robots === null || body === null ? robots : { ...robots, body: withholding.inBody(body) },
  };
}

/** The same of what is kept of a domain. */
export function withholdKept(record: DomainRecord, { inText }: Withholding): DomainRecord {
  const { software, version } = record;
  return { ...record, software: software && inText(software), version: version && inText(version) };
}
