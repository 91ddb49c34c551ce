import { z } from 'zod';

const milliseconds = z.int().min(0).max(3_600_000);
/** Milliseconds: always the same, or drawn from a range each time. */
export const Delay = z.union([
  milliseconds,
  z
    .tuple([milliseconds, milliseconds])
    .readonly()
    .refine(([least, most]) => least <= most, 'the first of the two must not be the larger'),
]);
export type Delay = z.infer<typeof Delay>;

/** Where an answer stops: before its first byte, in the middle of its headers, or in the middle of its body. */
const Place = z.enum(['before-headers', 'in-headers', 'in-body']);
const bytes = z.int().min(1).max(1_073_741_824);
/** What may stand in a header; a fault that wants to break HTTP itself has a name of its own. */
const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be characters that a header can hold');

/** Forms of Retry-After (RFC 9110 section 10.2.3), right and wrong; a number is so many seconds. */
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

/** When a rule applies. */
const when = {
  /** Path, as in the request line without its query. A `*` at its end stands for any more; alone, for every route. */
  route: z.string().regex(/^(?:\*|\/[^?#*\s]*\*?)$/, 'must be "*", or a path such as /api/v1/config or /api/*'),
  /** Default: every method. */
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']).exactOptional(),
  /** So often; after that the rule is spent. Default: always. */
  times: z.int().min(1).exactOptional(),
  /** Of each request, drawn from the server's seed. Default 1. */
  probability: z.number().gt(0).max(1).exactOptional(),
};

/** One fault and its parameters. Those that cost a client nothing but the answer come first, those that cost it time last. */
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
  rule('content-type', { value: headerValue }),
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
  rule('reset', { at: Place.exactOptional() }),
  rule('delay', { ms: Delay }),
  rule('drip', { bytesPerWrite: z.int().min(1).exactOptional(), everyMs: z.int().min(1).max(60_000).exactOptional() }),
  rule('stall', { at: Place.exactOptional() }),
]);

/** Something that goes wrong with the answers to some requests; the README has a table of them. */
export type FaultRule = z.infer<typeof FaultRule>;
/** The rule of one fault. */
export type Fault<Name extends FaultRule['fault']> = Extract<FaultRule, { fault: Name }>;

/** Every fault there is. */
export const faultNames: readonly FaultRule['fault'][] = FaultRule.options.map(({ shape }) => shape.fault.value);

function rule<Name extends string, Shape extends z.core.$ZodLooseShape>(name: Name, parameters: Shape) {
  return z.strictObject({ ...when, fault: z.literal(name), ...parameters });
}
