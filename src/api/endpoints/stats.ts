import { z } from 'zod';
import { byKey, FEATURES, LIMITS } from '../../model/facts/fact-leaves.ts';
import type { InstanceEntry } from '../../views/schema/instance-entry.ts';
import type { Snapshot } from '../../views/snapshot.ts';
import type { Survey } from '../../views/survey.ts';
import { InstanceTally } from '../../views/tallies.ts';
import { CACHE_ONE_MINUTE, datedAnswer } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { RATE_LIMITED, withEtag } from '../openapi/responses.ts';
import { type Answers, type LimitSummary, Stats } from '../resources/stats.ts';

/** `GET /api/v1/stats`: statistics of the directory and the known domains. */
export const stats = endpoint({
  path: '/api/v1/stats',
  operationId: 'getStats',
  tag: 'directory',
  summary:
    'Statistics of the directory and the known domains. Facts that an instance does not report count as unknown.',
  example: '/api/v1/stats',
  query: z.strictObject({}),
  responses: { ...withEtag('The statistics.', Stats), ...RATE_LIMITED },
  cacheKey: ({ directory }) => directory.current(),
  answer(_request, { directory }) {
    const { snapshot, survey } = directory.current();
    // The earlier of the two times: no data is older.
    const at = Math.min(snapshot.at, survey.at);
    return datedAnswer(at, JSON.stringify(statsOf(snapshot, survey)), CACHE_ONE_MINUTE);
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
    optOuts: survey.optOutCount,
    domains: survey.counts,
  };
}

function answersOf(values: readonly (boolean | null)[]): Answers {
  const answers: Answers = { yes: 0, no: 0, unknown: 0 };
  for (const value of values) answers[value === null ? 'unknown' : value ? 'yes' : 'no'] += 1;
  return answers;
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
