import { z } from 'zod';
import { jsonLine } from '../../directory/formatting.ts';
import { timelineOf } from '../../directory/instance/timeline.ts';
import { minuteRoundedTime } from '../../directory/minute-rounded-time.ts';
import { Timeline } from '../../directory/schema/timeline.ts';
import { CACHE_ONE_MINUTE, jsonAnswer } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { RATE_LIMITED, UNKNOWN_DOMAIN, withEtag } from '../openapi/responses.ts';
import { DomainParameter, parseDomainParameter, requirePublishedRecord } from '../query/domain-parameter.ts';

/** `GET /api/v1/instances/{domain}/timeline`: uptime and response time of a domain by day, and its counts by day, week or month. */
export const timeline = endpoint({
  path: '/api/v1/instances/{domain}/timeline',
  operationId: 'getTimeline',
  tag: 'instances',
  summary:
    'Uptime and response time of a domain, listed or not, in each of the last 90 days, and its counts over time.',
  example: '/api/v1/instances/loops.example/timeline',
  parameters: DomainParameter,
  query: z.strictObject({}),
  responses: {
    ...withEtag('The timeline.', Timeline.meta({ id: 'Timeline' })),
    ...UNKNOWN_DOMAIN,
    ...RATE_LIMITED,
  },
  answer({ parameters }, context) {
    const domain = parseDomainParameter(parameters, context);
    const at = minuteRoundedTime(requirePublishedRecord(domain, context), context.now());
    return jsonAnswer(jsonLine(timelineOf(context.reader, domain, at)), CACHE_ONE_MINUTE);
  },
});
