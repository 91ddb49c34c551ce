import { byKey, FEATURES, HOSTING_NAMES, LIMITS } from '../model/facts/fact-leaves.ts';
import type { DomainTotals } from './count-domains.ts';
import { countNames } from './history/daily-totals.ts';
import type { InstanceEntry } from './schema/instance-entry.ts';
import type { Snapshot } from './snapshot.ts';

/** Instances by their answer to a question. */
export interface Answers {
  yes: number;
  no: number;
  unknown: number;
}

/** The values of a limit among the instances that report it; null when none does. The median is the lower of the two middle values. */
export interface LimitSummary {
  reporting: number;
  least: number | null;
  median: number | null;
  most: number | null;
}

/** Statistics of the directory and the known domains. */
export function statsOf(snapshot: Snapshot, domainTotals: DomainTotals) {
  const entries = snapshot.instances.map(({ entry }) => entry);
  const answers = (read: (entry: InstanceEntry) => boolean | null) => answersOf(entries.map(read));
  return {
    instances: snapshot.counts,
    population: snapshot.population,
    registrationOpen: answers(({ registration }) => registration.open),
    federation: answers(({ federation }) => federation),
    features: byKey(FEATURES, ({ key }) => answers(({ features }) => features[key])),
    limits: byKey(LIMITS, ({ key }) => summaryOf(entries.map(({ limits }) => limits[key]))),
    hosting: byKey(HOSTING_NAMES, ({ key }) => namesOf(entries.map(({ hosting }) => hosting[key]))),
    optOuts: domainTotals.optOutCount,
    domains: domainTotals.counts,
    reasons: [...domainTotals.reasons]
      .map(([reason, domains]) => ({ reason, domains }))
      .sort((one, other) => other.domains - one.domains || (one.reason < other.reason ? -1 : 1)),
  };
}

function answersOf(values: readonly (boolean | null)[]): Answers {
  const answers: Answers = { yes: 0, no: 0, unknown: 0 };
  for (const value of values) answers[value === null ? 'unknown' : value ? 'yes' : 'no'] += 1;
  return answers;
}

function namesOf(values: readonly (string | null)[]) {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  return countNames(counts);
}

function summaryOf(values: readonly (number | null)[]): LimitSummary {
  const reported = values.filter((value) => value !== null).sort((one, other) => one - other);
  return {
    reporting: reported.length,
    least: reported[0] ?? null,
    median: reported[(reported.length - 1) >> 1] ?? null,
    most: reported.at(-1) ?? null,
  };
}
