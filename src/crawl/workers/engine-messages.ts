import { z } from 'zod';
import { isDomain } from '../../model/domain/domain.ts';
import { InstanceFacts } from '../../model/facts/instance-facts.ts';
import { Reason } from '../../model/reason.ts';
import { Step } from '../../model/step.ts';
import { Verdict, Via } from '../../model/verdict.ts';
import type { VisitResult, VisitTask } from './visit-task.ts';

/** A task as the data of a job. */
export interface TaskMessage {
  /** The version of the crawling process; a worker of another version refuses the task. */
  version: string;
  /** The queue of the results. */
  resultsTo: string;
  budgetMs: number;
  task: VisitTask;
}

/** The result of a job, sent by a worker. */
export interface ResultMessage {
  /** The id of the job, which is the token of the lease. */
  job: string;
  worker: { name: string; version: string };
  result: VisitResult;
}

/** Replaces bytes by objects that JSON can hold. */
export function encodeBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  return mapValues(value, encodeBytes);
}

export function decodeBytes(value: unknown): unknown {
  const isBytes = typeof value === 'object' && value !== null && 'base64' in value;
  if (isBytes && typeof value.base64 === 'string') return Buffer.from(value.base64, 'base64');
  return mapValues(value, decodeBytes);
}

function mapValues(value: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one)]));
}

const Bytes = z.instanceof(Uint8Array).refine(({ length }) => length <= 16_777_216);
const Name = z.string().max(300).refine(isDomain);
const Signal = z.string().regex(/^(?:robots|nodeinfo|earlier|(?:config|discovery|nodeinfo)-(?:error-)?header)$/);
/** Milliseconds or bytes. */
const Amount = z.number().min(0).max(1e13);
const Text = z.string().max(1_000);

const Visit = z.strictObject({
  domain: Name,
  at: Amount,
  durationMs: Amount,
  verdict: Verdict,
  reason: Reason,
  via: Via.nullable(),
  software: Text.nullable(),
  version: Text.nullable(),
  aliasOf: Name.nullable(),
  facts: InstanceFacts.nullable(),
  steps: z.array(Step).max(100),
  documents: z.strictObject({ config: Bytes.optional(), discovery: Bytes.optional(), nodeinfo: Bytes.optional() }),
  retryAfterMs: Amount.nullable(),
  host: z.strictObject({
    ipv4: z.boolean().nullable(),
    ipv6: z.boolean().nullable(),
    tlsExpires: Amount.nullable(),
    noindex: z.boolean().nullable(),
    noindexBy: z.array(Signal).optional(),
    canonicalHost: Name.nullable(),
  }),
  absentNoindexSignals: z.array(Signal).optional(),
  robots: z.strictObject({ readAt: Amount, body: Bytes.nullable() }).nullable(),
});

const HttpHeaders = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
const Exchange = z.strictObject({
  url: z.url(),
  target: Text.optional(),
  result: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('answer'),
      status: z.int(),
      headers: HttpHeaders,
      body: Bytes,
      ms: Amount,
      bytes: Amount,
    }),
    z.strictObject({
      kind: z.literal('failure'),
      failure: z.string(),
      status: z.int().nullable(),
      headers: HttpHeaders.optional(),
      ms: Amount,
      bytes: Amount,
      detail: Text.optional(),
    }),
  ]),
});

const Certificate = z.strictObject({
  names: z.array(Text),
  validFrom: Amount,
  validTo: Amount,
  issuer: Text.nullable(),
});

const Why = { why: z.string().max(5_000) };
const Result = z.strictObject({
  job: z.uuid(),
  worker: z.strictObject({ name: z.string().regex(/^[\w.-]{1,100}$/), version: z.string().max(100) }),
  result: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('visited'), visit: Visit }),
    z.strictObject({
      kind: z.literal('needs'),
      url: z.url({ protocol: /^https?$/ }),
      part: z.strictObject({ exchanges: z.array(Exchange).max(50), certificate: Certificate.nullable() }),
    }),
    z.strictObject({ kind: z.literal('expired') }),
    z.strictObject({ kind: z.literal('unvisited'), ...Why }),
    z.strictObject({ kind: z.literal('failed'), message: z.string().max(20_000) }),
  ]),
});

/** Null when the message is malformed. */
export function parseResult(data: unknown): ResultMessage | null {
  const parsed = Result.safeParse(decodeBytes(data));
  // The cast is for types without a schema of their own, such as Domain: the schema above checks their text.
  return parsed.success ? (parsed.data as unknown as ResultMessage) : null;
}
