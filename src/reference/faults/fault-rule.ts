import { z } from 'zod';

const milliseconds = z.int().min(0).max(3_600_000);
/** Milliseconds: fixed, or drawn from a range each time. */
export const Delay = z.union([
  milliseconds,
  z
    .tuple([milliseconds, milliseconds])
    .readonly()
    .refine(([min, max]) => min <= max, 'the first of the two must not be the larger'),
]);
export type Delay = z.infer<typeof Delay>;

/** The point where an answer stops: before its first byte, halfway through its headers, or halfway through its body. */
const StopPoint = z.enum(['before-headers', 'in-headers', 'in-body']);
const bytes = z.int().min(1).max(1_073_741_824);
/** A valid header value. Broken HTTP has its own faults. */
const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must consist of characters that a header allows');

/** Valid and invalid forms of Retry-After (RFC 9110 section 10.2.3). A number is seconds. */
export const RetryAfter = z.union([
  z.int().min(0),
  z.enum([
    'date',
    'rfc850-date',
    'asctime-date',
    'past-date',
    'negative',
    'fractional',
    'huge',
    'garbage',
    'empty',
    'missing',
  ]),
]);
export type RetryAfter = z.infer<typeof RetryAfter>;

/** The conditions of every rule. */
const conditions = {
  /** Path without the query. A final `*` matches any suffix; `*` alone matches every route. */
  route: z.string().regex(/^(?:\*|\/[^?#*\s]*\*?)$/, 'must be "*", or a path such as /api/v1/config or /api/*'),
  /** Default: every method. */
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']).exactOptional(),
  /** Applies only to requests whose User-Agent lacks this text: browsers have `Mozilla/`. */
  userAgentWithout: z.string().min(1).exactOptional(),
  /** The number of requests that the rule applies to. Default: unlimited. */
  times: z.int().min(1).exactOptional(),
  /** Probability for each request, drawn from the seed of the server. Default 1. */
  probability: z.number().gt(0).max(1).exactOptional(),
};

/** A fault with its parameters and conditions. Faults that delay the client are last. */
export const FaultRule = z.discriminatedUnion('fault', [
  rule('status', {
    status: z.int().min(200).max(599),
    body: z.string().exactOptional(),
    headers: z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), headerValue).exactOptional(),
  }),
  rule('server-error', { status: z.int().min(500).max(599).exactOptional(), retryAfter: RetryAfter.exactOptional() }),
  rule('rate-limited', {
    retryAfter: RetryAfter.exactOptional(),
    status: z.union([z.literal(429), z.literal(503)]).exactOptional(),
  }),
  rule('redirect', {
    to: z.union([
      z.enum(['loop', 'chain', 'loopback', 'private', 'http', 'data']),
      z.url({
        protocol: /^https?$/,
        error: 'must be loop, chain, loopback, private, http, data or an absolute http URL',
      }),
    ]),
    hops: z.int().min(1).max(100).exactOptional(),
    status: z.union([z.literal(301), z.literal(302), z.literal(303), z.literal(307), z.literal(308)]).exactOptional(),
  }),
  rule('redirect-query', {
    set: z.record(z.string().min(1), z.string()).exactOptional(),
    remove: z.array(z.string().min(1)).readonly().exactOptional(),
  }),
  rule('content-type', { value: headerValue }),
  rule('json-members', {
    set: z.record(z.string().min(1), z.unknown()).exactOptional(),
    remove: z.array(z.string().min(1)).readonly().exactOptional(),
  }),
  rule('invalid-utf8', {}),
  rule('invalid-json', {
    how: z
      .enum(['cut', 'trailing-text', 'trailing-comma', 'single-quotes', 'comment', 'empty', 'html'])
      .exactOptional(),
  }),
  rule('deep-json', { depth: z.int().min(1).max(1_000_000).exactOptional() }),
  rule('duplicate-keys', { right: z.enum(['first', 'last']).exactOptional() }),
  rule('large-body', { bytes: bytes.exactOptional() }),
  rule('large-headers', { bytes: z.int().min(1).max(16_777_216).exactOptional() }),
  rule('gzip', {}),
  rule('gzip-bomb', { unpackedBytes: bytes.exactOptional() }),
  rule('no-content-length', {}),
  rule('unfinished-chunks', {}),
  rule('truncated', {}),
  rule('over-long', { bytes: z.int().min(1).max(16_777_216).exactOptional() }),
  rule('wrong-length', { value: headerValue }),
  rule('not-http', {}),
  rule('close', {}),
  rule('reset', { at: StopPoint.exactOptional() }),
  rule('delay', { ms: Delay }),
  rule('drip', { bytesPerWrite: z.int().min(1).exactOptional(), everyMs: z.int().min(1).max(60_000).exactOptional() }),
  rule('stall', { at: StopPoint.exactOptional() }),
]);

/** One fault rule; README.md lists them all. */
export type FaultRule = z.infer<typeof FaultRule>;
/** The rule of one fault. */
export type Fault<Name extends FaultRule['fault']> = Extract<FaultRule, { fault: Name }>;

/** The names of all faults. */
export const faultNames: readonly FaultRule['fault'][] = FaultRule.options.map(({ shape }) => shape.fault.value);

function rule<Name extends string, Shape extends z.core.$ZodLooseShape>(name: Name, parameters: Shape) {
  return z.strictObject({ ...conditions, fault: z.literal(name), ...parameters });
}
