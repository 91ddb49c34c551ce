import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Spent } from '../guard/rate-limiter.ts';
import { type Answer, problemAnswer } from './answer.ts';
import { acceptedCodings, type Coding, compress, type Encoding } from './codings.ts';
import { matchesTag } from './matches-tag.ts';
import { ProblemError } from './problem-error.ts';

/** Sends an answer to a request, in the form that it accepts, or 304 when it has that already; says with which status. */
export type Send = (request: FastifyRequest, reply: FastifyReply, answer: Answer, spent: Spent | null) => number;

/** So long may a client that takes an answer take nothing of it. */
const STALLED_MS = 10_000;
const MOST_AT_ONCE_BYTES = 16_384;
/** Below this, compressing saves less than the headers that say so. */
const LEAST_COMPRESSED_BYTES = 1_024;

/** Of what is not found or cannot be asked it matters more to say so than how it is coded. */
const NOT_ACCEPTABLE = problemAnswer(
  new ProblemError(406, 'Accept-Encoding rules out every coding that there is here: br, gzip and identity.'),
);

/** Of the common headers what a 304 has to repeat (RFC 9110 section 15.4.5); the others are kept with the answer that it stands for. */
const NOT_MODIFIED = ['access-control-allow-origin', '*', 'vary', 'accept-encoding'] as const;

/** One form of an answer, with its headers, names and values in turn. */
interface Form {
  readonly body: Buffer;
  readonly headers: readonly string[];
}

/** All forms of an answer, each made when it is first asked for. */
interface Forms {
  readonly plain: Form;
  /** Headers of a 304, by the form that it stands for: it names the tag that this would be sent with. */
  readonly notModified: Readonly<Record<Coding, readonly string[]>>;
  readonly compressed: Map<Encoding, Form | Promise<Form>>;
}

/**
 * Writes to the connection directly: Fastify's own way to an answer costs as much again as all the rest of one that is ready.
 *
 * @param common headers of every answer, names and values in turn.
 */
export function createSender(common: readonly string[]): Send {
  const known = new WeakMap<Answer, Forms>();
  const formsOf = (answer: Answer): Forms => {
    const forms = known.get(answer);
    if (forms !== undefined) return forms;
    const made = createForms(answer, common);
    known.set(answer, made);
    return made;
  };

  const send: Send = (request, reply, answer, spent) => {
    const forms = formsOf(answer);
    const { 'if-none-match': condition, 'accept-encoding': accepted } = request.headers;
    const coding = codingFor(answer, accepted);
    reply.hijack();
    if (condition !== undefined && answer.tag !== null && matchesTag(condition, answer.tag)) {
      reply.raw.writeHead(304, withRate(forms.notModified[coding ?? 'identity'], spent));
      reply.raw.end();
      return 304;
    }
    if (coding === null && answer.status === 200) return send(request, reply, NOT_ACCEPTABLE, spent);
    const write = ({ headers, body }: Form) => {
      if (reply.raw.destroyed) return;
      reply.raw.writeHead(answer.status, withRate(headers, spent));
      reply.raw.end(body);
      // A timer at each connection would cost more than the rest; what is small is in the hands of the system at once.
      if (body.length > MOST_AT_ONCE_BYTES) reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy());
    };
    const isPlain = coding === null || coding === 'identity';
    const form = isPlain ? forms.plain : compressedForm(answer, forms, common, coding);
    if (form instanceof Promise) form.then(write, () => write(forms.plain));
    else write(form);
    return answer.status;
  };
  return send;
}

/** Null: none of those that there are. */
function codingFor({ body }: Answer, accepted: string | undefined): Coding | null {
  const codings = acceptedCodings(accepted);
  const isSmall = body.length < LEAST_COMPRESSED_BYTES;
  return isSmall && codings.includes('identity') ? 'identity' : (codings[0] ?? null);
}

function createForms(answer: Answer, common: readonly string[]): Forms {
  const { body, cacheControl, tag } = answer;
  const notModified = (variant: string) => [
    ...NOT_MODIFIED,
    ...['cache-control', cacheControl, ...tagHeader(tag, variant)],
  ];
  return {
    plain: { body, headers: headersOf(answer, common, body, '') },
    notModified: { identity: notModified(''), br: notModified('-br'), gzip: notModified('-gzip') },
    compressed: new Map(),
  };
}

function compressedForm(answer: Answer, { compressed }: Forms, common: readonly string[], encoding: Encoding) {
  const ready = compressed.get(encoding);
  if (ready !== undefined) return ready;
  const making = compress(answer.body, encoding).then((body): Form => {
    const headers = [...headersOf(answer, common, body, `-${encoding}`), 'content-encoding', encoding];
    const form = { body, headers };
    compressed.set(encoding, form);
    return form;
  });
  compressed.set(encoding, making);
  return making;
}

function headersOf(answer: Answer, common: readonly string[], body: Buffer, variant: string): string[] {
  const { type, cacheControl, tag, headers } = answer;
  const own = ['content-type', type, 'content-length', String(body.length), 'cache-control', cacheControl];
  return [...common, ...own, ...tagHeader(tag, variant), ...headers];
}

/** Strong: of the bytes that are sent, hence another one for each encoding. */
function tagHeader(tag: string | null, variant: string): string[] {
  return tag === null ? [] : ['etag', `"${tag}${variant}"`];
}

/** The fields of draft-ietf-httpapi-ratelimit-headers that clients read. */
function withRate(headers: readonly string[], spent: Spent | null): string[] {
  if (spent === null) return headers as string[];
  return headers.concat(
    'ratelimit-limit',
    spent.limit,
    'ratelimit-remaining',
    String(spent.remaining),
    'ratelimit-reset',
    String(spent.resetSeconds),
  );
}
