import { originOf } from '../../domain/domain.ts';
import { parseRetryAfter } from '../../http/retry-after.ts';
import { ownAnswers, requestWords } from '../answers.ts';
import { rateLimitWords } from '../cures.ts';
import type { Exchange } from '../evidence.ts';
import { info, pass, type Rule, warn } from '../rule.ts';
import { nameAll, showText } from '../words.ts';

/** One page of an app asks for so many things. */
const FEWEST_A_WINDOW = 30;
const LONGEST_WAIT_MS = 86_400_000;

/** Whether limits are told in a way that a client can keep to. */
export const apiRateLimit: Rule = {
  id: 'api-rate-limit',
  area: 'api',
  worst: 'warn',
  cureFor: 'loops',
  title: 'Rate limits are told in a way that clients can keep to',
  checks:
    'Reads `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `Retry-After` wherever they come. Warns for values that are none, more left than there is, a limit of under 30, a 429 without a `Retry-After` of seconds or a date, and one to the requests that identify a server; notes any other 429.',
  why: 'A client that knows how long to wait waits. One that does not comes again at once, or gives the server up.',
  sources: ['RFC 6585 section 4', 'RFC 9110 section 10.2.3'],
  cure: 'Where the limit is that of Loops, leave its headers as they are; where a proxy adds its own, let it say so in whole seconds. In the server block of nginx, a 429 of its own gets the header by a location for it:\n\n    limit_req_status 429;\n    error_page 429 @limited;\n    location @limited { add_header Retry-After 60 always; return 429; }\n\nAnd let Loops see the address of each visitor, or everybody shares one limit. Behind another proxy, in nginx:\n\n    set_real_ip_from ADDRESS-OF-THE-PROXY;\n    real_ip_header X-Forwarded-For;',
  judge(evidence) {
    // That the identification was refused is told by another rule; that nobody can tell for how long is told here.
    if (evidence.visit.reason === 'rate-limited') {
      if (evidence.visit.retryAfterMs !== null) return null;
      return warn(
        'The requests that identify the server were answered 429, without a Retry-After that can be read.',
        apiRateLimit.cure,
      );
    }
    const answered = ownAnswers(evidence).filter(({ exchange }) => exchange.status !== null);
    if (answered.length === 0) return null;
    const problems = new Set(
      answered.flatMap(({ exchange }) => problemsOf(exchange, originOf(evidence.domain), evidence.at)),
    );
    if (problems.size > 0) return warn(`${nameAll([...problems])}.`, apiRateLimit.cure);
    const limited = answered.find(({ exchange }) => exchange.status === 429);
    if (limited !== undefined) {
      return info(
        `${requestWords(limited.exchange, originOf(evidence.domain))} was answered 429. ${rateLimitWords(limited.exchange, evidence)} What was not asked is not judged.`,
      );
    }
    const limits = answered.flatMap(({ exchange }) => headerOf(exchange, 'x-ratelimit-limit') ?? []);
    return pass(
      limits.length === 0
        ? 'No answer tells of a rate limit.'
        : `A limit of ${showText(limits[0] ?? '')} requests is told.`,
    );
  },
};

function problemsOf(exchange: Exchange, origin: string, at: number): string[] {
  const problems: string[] = [];
  const limit = headerOf(exchange, 'x-ratelimit-limit');
  const remaining = headerOf(exchange, 'x-ratelimit-remaining');
  for (const [name, value] of [
    ['X-RateLimit-Limit', limit],
    ['X-RateLimit-Remaining', remaining],
  ] as const) {
    if (value !== null && !/^\d+$/.test(value))
      problems.push(`${name} is "${showText(value)}", which is no number of requests`);
  }
  if (limit !== null && /^\d+$/.test(limit)) {
    if (Number(limit) < FEWEST_A_WINDOW)
      problems.push(`X-RateLimit-Limit is ${showText(limit)}, and one page of an app asks for more`);
    if (remaining !== null && Number(remaining) > Number(limit))
      problems.push(
        `X-RateLimit-Remaining (${showText(remaining)}) is more than X-RateLimit-Limit (${showText(limit)})`,
      );
  }
  const retryAfter = headerOf(exchange, 'retry-after');
  if (retryAfter === null) {
    if (exchange.status === 429)
      problems.push(`${requestWords(exchange, origin)} was answered 429 without Retry-After`);
    return problems;
  }
  const waitMs = parseRetryAfter(retryAfter, at);
  if (waitMs === null)
    problems.push(`Retry-After is "${showText(retryAfter)}", neither a number of seconds nor a date`);
  else if (waitMs > LONGEST_WAIT_MS)
    problems.push(`Retry-After asks for a wait of ${Math.round(waitMs / LONGEST_WAIT_MS)} days`);
  return problems;
}

/** The text of a header; null when it was not sent. */
function headerOf({ headers }: Exchange, name: string): string | null {
  const value = headers[name];
  return value === undefined ? null : String(value).trim();
}
