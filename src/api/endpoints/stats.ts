import { z } from 'zod';
import { byKey, FEATURES, LIMITS } from '../../model/facts/fact-leaves.ts';
import type { InstanceEntry } from '../../views/schema/instance-entry.ts';
import type { Snapshot } from '../../views/snapshot.ts';
import type { Survey } from '../../views/survey.ts';
import { InstanceTally } from '../../views/tallies.ts';
import { datedAnswer, SHORTLY } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { LIMITED, tagged } from '../openapi/responses.ts';
import { type Answers, type LimitSummary, Stats } from '../resources/stats.ts';

/** `GET /api/v1/stats`: the directory and the known domains in numbers. */
export const stats = endpoint({
  path: '/api/v1/stats',
  operationId: 'getStats',
  tag: 'directory',
  summary: 'The directory and the known domains in numbers. What an instance does not say is counted as unknown.',
  example: '/api/v1/stats',
  query: z.strictObject({}),
  responses: { ...tagged('The numbers.', Stats), ...LIMITED },
  madeFrom: ({ directory }) => directory.whole(),
  answer(_question, { directory }) {
    const { snapshot, survey } = directory.whole();
    // Of two moments the earlier: nothing in it is older.
    const at = Math.min(snapshot.at, survey.at);
    return datedAnswer(at, JSON.stringify(statsOf(snapshot, survey)), SHORTLY);
  },
});

function statsOf(snapshot: Snapshot, survey: Survey): Omit<Stats, 'generatedAt'> {
  const entries = snapshot.instances.map(({ entry }) => entry);
  const tally = new InstanceTally();
  for (const entry of entries) tally.add(entry);
  const answers = (read: (entry: InstanceEntry) => boolean | null) => answersOf(entries.map(read));
  return {
    instances: tally.counts,
    population: snapshot.population,
    registrationOpen: answers(({ registration }) => registration.open),
    federation: answers(({ federation }) => federation),
    features: byKey(FEATURES, ({ key }) => answers(({ features }) => features[key])),
    limits: byKey(LIMITS, ({ key }) => summaryOf(entries.map(({ limits }) => limits[key]))),
    optOuts: survey.optOuts,
    domains: survey.counts,
  };
}

function answersOf(values: readonly (boolean | null)[]): Answers {
  const answers: Answers = { yes: 0, no: 0, unknown: 0 };
  for (const value of values) answers[value === null ? 'unknown' : value ? 'yes' : 'no'] += 1;
  return answers;
}

function summaryOf(values: readonly (number | null)[]): LimitSummary {
  const told = values.filter((value) => value !== null).sort((one, other) => one - other);
  return {
    reporting: told.length,
    least: told[0] ?? null,
    median: told[(told.length - 1) >> 1] ?? null,
    most: told.at(-1) ?? null,
  };
}
