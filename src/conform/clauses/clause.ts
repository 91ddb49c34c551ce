import type { ProbeId } from '../probes/probe-ids.ts';

/** How binding a clause is (RFC 2119). */
export const LEVELS = ['must', 'should', 'may'] as const;
export type Level = (typeof LEVELS)[number];

/** `spec`: the specification to the letter. `live`: the specification with the known differences of live Loops servers. */
export const PROFILES = ['spec', 'live'] as const;
export type Profile = (typeof PROFILES)[number];

/** One testable statement of the specification, or of an RFC that the specification relies on. */
export interface Clause {
  /** Stable. Lower-case words separated by dots and hyphens; field names keep their spelling. */
  id: string;
  /** The section of the specification. */
  section: string;
  /** The RFC and its section, if the statement comes from an RFC: `RFC 6749 5.1`. */
  rfc?: string;
  /** The statement in our own words, one sentence. */
  sentence: string;
  level: Level;
  subject: 'server' | 'client';
  /**
   * How live servers are known to differ. In the profile `live`, the difference is `expected`, so that its absence is a violation; or a
   * violation is a `warning`; or it is `not shown`, because the clause concerns what live servers do not have. Without `live`, both
   * profiles expect the same.
   */
  live?: { difference: string; inLive: 'expected' | 'warning' | 'not shown' };
}

export interface ServerClause extends Clause {
  subject: 'server';
  /** The probes whose exchanges decide the clause. */
  probes: readonly ProbeId[];
}

export interface ClientClause extends Clause {
  subject: 'client';
  /** The scenarios of `conform --client` that let a client show the clause. Most judges search all played scenarios. */
  scenarios: readonly string[];
}

/** Clauses by section and id, without the properties that all of them share. The level is `must` unless a clause names another. */
export type Sections<Row extends Clause> = Readonly<
  Record<string, Readonly<Record<string, Omit<Row, 'id' | 'section' | 'subject' | 'level'> & { level?: Level }>>>
>;

export function clausesOf<Row extends Clause>(subject: Row['subject'], sections: Sections<Row>): Row[] {
  return Object.entries(sections).flatMap(([section, clauses]) =>
    Object.entries(clauses).map(
      ([id, clause]) => ({ level: 'must', ...clause, id, section, subject }) as unknown as Row,
    ),
  );
}

/** The order of the specification. */
export function bySection(one: Clause, other: Clause): number {
  return one.section.localeCompare(other.section, 'en', { numeric: true });
}
