import { z } from 'zod';
import { statsOf } from '../../directory/stats.ts';
import { CACHE_ONE_MINUTE, datedAnswer } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { RATE_LIMITED, withEtag } from '../openapi/responses.ts';
import { Stats } from '../resources/stats.ts';

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
  answer(_request, { directory }) {
    const [snapshot, domainTotals] = [directory.snapshot(), directory.domainTotals()];
    // The earlier of the two times: no data is older.
    const at = Math.min(snapshot.at, domainTotals.at);
    return datedAnswer(at, JSON.stringify(statsOf(snapshot, domainTotals)), CACHE_ONE_MINUTE);
  },
});
