import { byKey, COUNTS } from '../../model/facts/fact-leaves.ts';
import type { InstanceFacts } from '../../model/facts/instance-facts.ts';
import { isoTime } from '../../model/time.ts';
import type { UsageTable } from '../schema/tables.ts';
import { Rows } from '../sqlite/database.ts';
import { type QueryParameter, queryParameters } from '../sqlite/prepare.ts';

type Usage = InstanceFacts['usage'];

const COUNT_COLUMNS = {
  users: 'users',
  activeMonth: 'active_month',
  activeHalfyear: 'active_halfyear',
  posts: 'posts',
} as const satisfies Record<(typeof COUNTS)[number]['key'], keyof UsageTable>;

/** Select expressions for the counts, with their names in the model. */
export const selectedCounts = COUNTS.map(({ key }) => `${COUNT_COLUMNS[key]} as ${key}` as const);

export interface CountedRow extends Omit<Usage, 'asOf'> {
  /** Start of the visit that read the counts; null when none were read. */
  counted_at: number | null;
}

export function toUsage(row: CountedRow): Usage {
  return { ...byKey(COUNTS, ({ key }) => row[key]), asOf: isoTime(row.counted_at) };
}

type VisitKey = Pick<UsageTable, 'domain_id' | 'at' | 'visit_id'>;

/** The usage counts that visits read. */
export class UsageCounts extends Rows {
  readonly #insert = this.database.prepare((db, parameter: QueryParameter<VisitKey & Omit<Usage, 'asOf'>>) =>
    db.insertInto('usage').values({
      ...queryParameters(parameter, ['domain_id', 'at', 'visit_id']),
      ...Object.fromEntries(COUNTS.map(({ key }) => [COUNT_COLUMNS[key], parameter(key)])),
    }),
  );

  /** Stores the counts that a visit read, unless all are unknown. Runs inside the caller's transaction. */
  add(visit: VisitKey, usage: Usage): void {
    if (COUNTS.some(({ key }) => usage[key] !== null)) this.#insert.run({ ...visit, ...usage });
  }
}
