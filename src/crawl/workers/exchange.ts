import { z } from 'zod';
import { HTTP_FAILURES, type StrictError } from '../../http/failure.ts';
import type { PageHeader } from '../../http/page-class.ts';
import { type HttpResult, MAX_VISIT_BYTES } from '../../http/visit-client.ts';
import { type Domain, hostOf } from '../../model/domain/domain.ts';

/** More requests than a visit can make: each of four documents with its redirects, and one retry. */
const MAX_EXCHANGES = 32;
/** Characters of all headers and URLs of a visit; most responses have less than 1 KiB of headers. */
const MAX_TEXT = 1_048_576;
/** Characters of a header or URL: a response has at most 64 KiB of headers. */
const MAX_LINE = 64 * 1_024;
/** A result is at most this long as JSON: the bodies in base64, the texts, and what is around them. */
export const MAX_RESULT_BYTES = Math.ceil((MAX_VISIT_BYTES * 4) / 3) + MAX_TEXT + 262_144;
const MAX_MS = 600_000;
/** Characters of an IPv6 address. */
const MAX_ADDRESS = 45;
/** The latest date that JavaScript can represent. */
const MAX_DATE = 8.64e15;

/** Lines of one header: more do not fit into 64 KiB. */
const MAX_LINES = 8_192;
const STRICT_ERRORS = ['malformed-header', 'bare-line-feed'] as const satisfies readonly StrictError[];

const Line = z.string().max(MAX_LINE);
/** The headers that a visit reads. */
const HEADERS = {
  location: Line.optional(),
  'retry-after': Line.optional(),
  'x-robots-tag': z.union([Line, z.array(Line).max(MAX_LINES)]).optional(),
  server: Line.optional(),
  'set-cookie': z.array(Line).max(MAX_LINES).optional(),
  'cf-mitigated': Line.optional(),
  'x-amzn-waf-action': Line.optional(),
  'x-datadome': Line.optional(),
  'x-vercel-mitigated': Line.optional(),
} satisfies Record<PageHeader | 'location' | 'retry-after' | 'x-robots-tag', z.ZodType>;
const Headers = z.strictObject(HEADERS);
const Status = z.int().min(0).max(999);
const Received = {
  ms: z.number().min(0).max(MAX_MS),
  bytes: z.int().min(0).max(1e9),
  strictError: z.enum(STRICT_ERRORS).optional(),
};
const Body = z.base64().max(Math.ceil(MAX_VISIT_BYTES / 3) * 4);

/** A request of a visit and its result, as a worker sends it. Every number, text and body has a limit. */
export const Exchange = z.strictObject({
  url: Line,
  /** The request target, when it is not that of the URL. */
  target: Line.optional(),
  result: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('answer'), status: Status, headers: Headers, body: Body, ...Received }),
    z.strictObject({
      kind: z.literal('failure'),
      // Only the crawling process resolves names.
      failure: z.enum(HTTP_FAILURES).refine((failure) => !failure.startsWith('dns-')),
      status: Status.nullable(),
      detail: z.string().max(2_000).optional(),
      ...Received,
    }),
  ]),
});
export type Exchange = z.infer<typeof Exchange>;

/** A result has few elements: a longer list is refused before its elements are read. */
const Exchanges = z
  .custom<unknown[]>((value) => Array.isArray(value) && value.length <= MAX_EXCHANGES, 'not a list of a visit’s length')
  .pipe(z.array(Exchange))
  .refine((exchanges) => sum(exchanges, bodyBytesOf) <= MAX_VISIT_BYTES, 'bodies over the limit of a visit')
  .refine((exchanges) => sum(exchanges, textLengthOf) <= MAX_TEXT, 'headers over the limit of a visit');

const Worker = z.strictObject({ name: z.string().regex(/^[\w.-]{1,100}$/), version: z.string().max(100) });

/** What a worker sends for a task. */
const WorkerResult = z.union([
  z.strictObject({
    worker: Worker,
    exchanges: Exchanges,
    /** The end of the host's certificate, in milliseconds since the epoch. */
    tlsExpires: z.int().min(0).max(MAX_DATE).nullable(),
    /** The address at which the host answered. */
    answeredAt: z.string().max(MAX_ADDRESS).optional(),
  }),
  /** The worker cannot visit this host now, for a reason of its own. */
  z.strictObject({ worker: Worker, notVisited: z.string().max(500) }),
]);
export type WorkerResult = z.infer<typeof WorkerResult>;

/** The result for a visit of `domain`, or what is wrong with it, in one phrase. */
export function parseResult(data: unknown, domain: Domain): WorkerResult | { problem: string } {
  if (data === null) return { problem: 'it is empty, or longer than a visit can be' };
  const parsed = WorkerResult.safeParse(data);
  if (!parsed.success) return { problem: problemOf(parsed.error) };
  const exchanges = 'exchanges' in parsed.data ? parsed.data.exchanges : [];
  const foreign = exchanges.find(({ url }) => !isOfHost(URL.parse(url), domain));
  if (foreign !== undefined) return { problem: `${foreign.url.slice(0, 100)} is not a URL of ${domain}` };
  return parsed.data;
}

/** Whether a URL has the host of a domain, on any port. */
export function isOfHost(url: URL | null, domain: Domain): boolean {
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname.replace(/^\[|\]$/g, '') === hostOf(domain);
}

export function encodeExchange({ href }: URL, target: string | undefined, result: HttpResult): Exchange {
  const { ms, bytes, strictError } = result;
  const received = { ms, bytes, strictError };
  if (result.kind === 'failure') {
    const { failure, status, detail } = result;
    return { url: href, target, result: { kind: 'failure', failure, status, detail, ...received } };
  }
  const { status, body } = result;
  const headers = Object.fromEntries(Object.keys(HEADERS).map((name) => [name, result.headers[name]]));
  return {
    url: href,
    target,
    result: { kind: 'answer', status, headers, body: Buffer.from(body).toString('base64'), ...received },
  };
}

export function decodeResult({ result }: Exchange): HttpResult {
  return result.kind === 'failure' ? result : { ...result, body: Buffer.from(result.body, 'base64') };
}

function problemOf({ issues }: z.ZodError): string {
  const [issue] = issues;
  // Of the two forms of a result, exchanges are the usual one.
  const [first] = issue?.code === 'invalid_union' ? (issue.errors[0] ?? []) : issues;
  return `${first?.path.join('.') ?? ''}: ${first?.message ?? 'malformed'}`.slice(0, 200);
}

function bodyBytesOf({ result }: Exchange): number {
  return result.kind === 'answer' ? Buffer.byteLength(result.body, 'base64') : 0;
}

function textLengthOf({ url, target = '', result }: Exchange): number {
  const lines = result.kind === 'answer' ? Object.values(result.headers).flat() : [];
  return url.length + target.length + sum(lines, (line) => line?.length ?? 0);
}

function sum<T>(items: readonly T[], measure: (item: T) => number): number {
  return items.reduce((total, item) => total + measure(item), 0);
}
