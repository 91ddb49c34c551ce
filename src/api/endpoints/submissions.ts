import { z } from 'zod';
import type { SubmissionResult } from '../../directory/submit.ts';
import type { Domain } from '../../model/domain/domain.ts';
import { isoTime } from '../../model/time.ts';
import { type Answer, uncachedJson } from '../answers/answer.ts';
import { ProblemError } from '../answers/problems.ts';
import type { ApiContext } from '../api-context.ts';
import { endpoint } from '../endpoint.ts';
import { problem, RATE_LIMITED } from '../openapi/responses.ts';
import { domainNotAccepted, parseDomainParameter, requirePublishedRecord } from '../query/domain-parameter.ts';

const SubmissionRequest = z
  .strictObject({
    domain: z
      .string()
      .min(1)
      .max(300)
      .meta({ description: 'Host name, with the port when it is not 443.', example: 'loops.example' }),
  })
  .meta({ id: 'SubmissionRequest' });

const Submission = z
  .object({
    domain: z.string().meta({ description: 'The domain, normalised.' }),
    visit: z.enum(['done', 'running', 'recent']).meta({
      description:
        'done: visited just now; running: try again in a moment; recent: visited within the last hour, and the result is from that visit.',
    }),
    listed: z.boolean().nullable().meta({ description: 'Whether it is in the directory; null while unknown.' }),
    headline: z.string().nullable().meta({ description: 'The result as a sentence.' }),
    why: z.string().nullable().meta({ description: 'The reason in detail.' }),
    whatWouldChange: z.array(z.string()).meta({ description: 'Steps for its operator to get it listed.' }),
    visitedAt: z.string().nullable().meta({ description: 'Time of the last visit, ISO 8601 in UTC.' }),
    againAt: z
      .string()
      .nullable()
      .meta({ description: 'When it can be submitted for another visit; null: an hour after its visit.' }),
    explanation: z.string().meta({ description: 'Path of the full explanation.' }),
  })
  .meta({ id: 'Submission' });
type Submission = z.infer<typeof Submission>;

const content = { 'application/json': { schema: Submission } };
const HOUR_SECONDS = 3_600;
const NO_CRAWLER_RETRY_SECONDS = 3_600;
const OFFLINE_RETRY_SECONDS = 60;

/** `POST /api/v1/submissions`: submits a domain, which is visited at once. */
export const submissions = endpoint({
  path: '/api/v1/submissions',
  method: 'post',
  operationId: 'submitDomain',
  tag: 'domains',
  summary:
    'Submits a domain, which is visited at once; the response says whether it is listed, or why not. Disabled unless the operator of this crawler enabled it.',
  example: '{"domain":"loops.example"}',
  query: z.strictObject({}),
  body: SubmissionRequest,
  responses: {
    '200': { description: 'It was visited, now or within the last hour.', content },
    '202': { description: 'Its visit has not finished; submit it again in a moment.', content },
    '403': problem('Submissions are disabled.'),
    '404': problem('The domain is not accepted.'),
    '413': problem('The body is too long.'),
    '415': problem('The body is not JSON.'),
    '429': {
      ...RATE_LIMITED['429'],
      description:
        'Too many requests or submissions from this address, too many waiting submissions, or a host or registrable domain that may not be visited again within the hour.',
    },
  },
  async answer({ body, request }, context) {
    const { submissions: submit } = context;
    if (submit === 'off')
      throw new ProblemError(
        403,
        'Submissions are disabled: the operator of this crawler has not enabled them (serve.submissions).',
      );
    if (submit === 'no-crawler')
      throw new ProblemError(503, 'This server only serves the data; it has no crawler.', {
        retryAfterSeconds: NO_CRAWLER_RETRY_SECONDS,
      });
    const limit = await context.countSubmission(request);
    if (!limit.isAllowed && limit.isExceeded)
      throw new ProblemError(
        429,
        `More than ${limit.max} domains came from this address within an hour; submit the next in ${Math.ceil(limit.ttlInSeconds / 60)} minutes.`,
        { retryAfterSeconds: limit.ttlInSeconds },
      );
    const domain = parseDomainParameter(body, context, domainNotAccepted, 'body');
    return answerOf(domain, await submit(domain), context);
  },
});

/** @throws {ProblemError} when there is no result to return. */
function answerOf(domain: Domain, submitted: SubmissionResult, context: ApiContext): Answer {
  switch (submitted.kind) {
    case 'visited':
      return resultOf(domain, 'done', null, context);
    case 'visiting':
      return uncachedJson({ ...emptyResult(domain), visit: 'running' } satisfies Submission, 202);
    case 'recent':
      return resultOf(domain, 'recent', submitted.againAt, context);
    case 'opted-out':
      throw domainNotAccepted();
    case 'busy':
      throw new ProblemError(429, submitted.why, { retryAfterSeconds: submitted.retryAfterSeconds });
    case 'unvisited':
      throw new ProblemError(503, submitted.why, { retryAfterSeconds: OFFLINE_RETRY_SECONDS });
  }
}

function resultOf(domain: Domain, visit: 'done' | 'recent', againAt: number | null, context: ApiContext): Answer {
  const record = context.reader.domains.find(domain);
  // The host was visited at another port: this domain has no record of a visit.
  if (record === null || record.lastVisit === null)
    throw new ProblemError(429, 'This host was visited within the last hour; a host is visited at most once an hour.', {
      retryAfterSeconds: againAt === null ? HOUR_SECONDS : Math.max(1, Math.ceil((againAt - context.now()) / 1_000)),
    });
  requirePublishedRecord(domain, context, domainNotAccepted);
  const { headline, why, whatWouldChange, listed } = context.explain(domain, { visits: 0, now: context.now() });
  return uncachedJson({
    ...emptyResult(domain),
    visit,
    ...{ listed, headline, why, whatWouldChange: [...whatWouldChange] },
    visitedAt: isoTime(record.lastVisit),
    againAt: isoTime(againAt),
  } satisfies Submission);
}

function emptyResult(domain: Domain) {
  const explanation = `/api/v1/domains/${domain}`;
  const unknown = { listed: null, headline: null, why: null, visitedAt: null, againAt: null };
  return { domain, explanation, whatWouldChange: [] as string[], ...unknown };
}
