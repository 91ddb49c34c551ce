import { z } from 'zod';
import type { Domain } from '../../model/domain/domain.ts';
import { type Answer, momentaryJson } from '../answers/answer.ts';
import { ProblemError } from '../answers/problems.ts';
import type { ApiContext } from '../api-context.ts';
import { endpoint } from '../endpoint.ts';
import { LIMITED, problem } from '../openapi/responses.ts';
import { domainOf, notTaken, publishedRecord } from '../query/domain-parameter.ts';
import type { Submitted } from '../submission-desk.ts';

/** What is sent to hand in a domain. */
const SubmissionRequest = z
  .strictObject({
    domain: z
      .string()
      .min(1)
      .max(300)
      .meta({ description: 'Host name, with the port when it is not 443.', example: 'loops.example' }),
  })
  .meta({ id: 'SubmissionRequest' });

/** What became of a domain that was handed in. */
const Submission = z
  .object({
    domain: z.string().meta({ description: 'As it was understood.' }),
    visit: z.enum(['done', 'running', 'recent']).meta({
      description:
        'done: visited just now; running: ask again in a moment; recent: it was visited within the last hour, and what is told is from then.',
    }),
    listed: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether it is in the directory; null while that is not known.' }),
    headline: z.string().nullable().meta({ description: 'The same in a sentence, and why not.' }),
    why: z.string().nullable().meta({ description: 'The reason at length.' }),
    whatWouldChange: z.array(z.string()).meta({ description: 'What its operator can do to have it listed.' }),
    visitedAt: z.string().nullable().meta({ description: 'When it was last visited, ISO 8601 in UTC.' }),
    againAt: z
      .string()
      .nullable()
      .meta({ description: 'From when on it can be visited again by handing it in; null: in an hour.' }),
    explanation: z.string().meta({ description: 'Path at which all of it is told.' }),
  })
  .meta({ id: 'Submission' });
type Submission = z.infer<typeof Submission>;

const content = { 'application/json': { schema: Submission } };
const HOUR_SECONDS = 3_600;
const NO_CRAWLER_RETRY_SECONDS = 3_600;
const OFFLINE_RETRY_SECONDS = 60;

/** `POST /api/v1/submissions`: hands in a domain, which is visited at once. */
export const submissions = endpoint({
  path: '/api/v1/submissions',
  method: 'post',
  operationId: 'submitDomain',
  tag: 'domains',
  summary:
    'Hands in a domain, which is visited at once; the answer says whether it is listed, or why not. Off unless the owner of this crawler switched it on.',
  example: '{"domain":"loops.example"}',
  query: z.strictObject({}),
  body: SubmissionRequest,
  responses: {
    '200': { description: 'It was visited, now or within the last hour.', content },
    '202': { description: 'Its visit is not over yet; hand it in again in a moment.', content },
    '403': problem('Nothing can be handed in here.'),
    '404': problem('The domain is not taken.'),
    '413': problem('The body is too long.'),
    '415': problem('The body is not JSON.'),
    ...LIMITED,
  },
  madeFrom: null,
  async answer({ body, request }, context) {
    const { submissions: desk } = context;
    if (desk === 'off')
      throw new ProblemError(
        403,
        'Domains cannot be handed in here: the owner of this crawler has not switched that on (serve.submissions).',
      );
    if (desk === 'no-crawler')
      throw new ProblemError(503, 'Nothing visits anybody here: only the data is served, without a crawler.', {
        retryAfterSeconds: NO_CRAWLER_RETRY_SECONDS,
      });
    const limit = await context.countSubmission(request);
    if (!limit.isAllowed && limit.isExceeded)
      throw new ProblemError(
        429,
        `More than ${limit.max} domains came from this address within an hour; hand in the next in ${Math.ceil(limit.ttlInSeconds / 60)} minutes.`,
        { retryAfterSeconds: limit.ttlInSeconds },
      );
    const domain = domainOf(body, context, notTaken, 'body');
    return answerOf(domain, await desk(domain), context);
  },
});

/** @throws {ProblemError} when there is nothing to tell of it. */
function answerOf(domain: Domain, submitted: Submitted, context: ApiContext): Answer {
  switch (submitted.kind) {
    case 'visited':
      return told(domain, 'done', null, context);
    case 'visiting':
      return momentaryJson({ ...nothing(domain), visit: 'running' } satisfies Submission, 202);
    case 'recent':
      return told(domain, 'recent', submitted.againAt, context);
    case 'withheld':
      throw notTaken();
    case 'busy':
      throw new ProblemError(429, submitted.why, { retryAfterSeconds: submitted.retryAfterSeconds });
    case 'unvisited':
      throw new ProblemError(503, submitted.why, { retryAfterSeconds: OFFLINE_RETRY_SECONDS });
  }
}

function told(domain: Domain, visit: 'done' | 'recent', againAt: number | null, context: ApiContext): Answer {
  const record = context.reader.find(domain);
  // Its host was visited under another port, and of this one nothing is known.
  if (record === null || record.lastVisit === null)
    throw new ProblemError(429, 'This host was visited within the last hour; a host is visited once an hour at most.', {
      retryAfterSeconds: againAt === null ? HOUR_SECONDS : Math.max(1, Math.ceil((againAt - context.now()) / 1_000)),
    });
  publishedRecord(domain, context, notTaken);
  const { headline, why, whatWouldChange, listed } = context.explain(domain, { visits: 0, now: context.now() });
  return momentaryJson({
    ...nothing(domain),
    visit,
    ...{ listed, headline, why, whatWouldChange: [...whatWouldChange] },
    visitedAt: new Date(record.lastVisit).toISOString(),
    againAt: againAt === null ? null : new Date(againAt).toISOString(),
  } satisfies Submission);
}

function nothing(domain: Domain) {
  const explanation = `/api/v1/domains/${domain}`;
  const unknown = { listed: null, headline: null, why: null, visitedAt: null, againAt: null };
  return { domain, explanation, whatWouldChange: [] as string[], ...unknown };
}
