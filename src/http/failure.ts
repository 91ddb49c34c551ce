import type { EpochMs } from '../model/time.ts';

/**
 * Why a request to a remote server gave no usable answer. The words are part of the vocabulary of visits; `model/reason.ts` documents
 * each.
 */
export const HTTP_FAILURES = [
  'dns-nxdomain',
  'dns-no-address',
  'dns-servfail',
  'dns-refused',
  'dns-timeout',
  'forbidden-address',
  'connect-refused',
  'connect-timeout',
  'no-route',
  'connection-reset',
  'tls-expired',
  'tls-wrong-name',
  'tls-untrusted',
  'tls-failed',
  'tls-timeout',
  'response-timeout',
  'body-timeout',
  'body-too-large',
  'headers-too-large',
  'unsupported-encoding',
  'invalid-encoding',
  'visit-timeout',
  'invalid-http',
] as const;
export type HttpFailure = (typeof HTTP_FAILURES)[number];

/** An answer that exceeds a limit or cannot be decoded. The message is one phrase. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
  readonly failure: HttpFailure;

  constructor(failure: HttpFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

/** The AnswerError that an error is or wraps; null when there is none. */
export function findAnswerError(error: unknown): AnswerError | null {
  if (error instanceof AnswerError) return error;
  return error instanceof Error && error.cause instanceof AnswerError ? error.cause : null;
}

const BY_CODE: Readonly<Record<string, HttpFailure>> = {
  ECONNREFUSED: 'connect-refused',
  EHOSTUNREACH: 'no-route',
  ENETUNREACH: 'no-route',
  EADDRNOTAVAIL: 'no-route',
  ENETDOWN: 'no-route',
  EHOSTDOWN: 'no-route',
  // Our firewall, or a router that reports the route as prohibited.
  EACCES: 'no-route',
  EPERM: 'no-route',
  ETIMEDOUT: 'connect-timeout',
  ECONNRESET: 'connection-reset',
  EPIPE: 'connection-reset',
  ECONNABORTED: 'connection-reset',
  // The body ended before its Content-Length.
  ERR_HTTP_CONTENT_LENGTH_MISMATCH: 'connection-reset',
  CERT_HAS_EXPIRED: 'tls-expired',
  CERT_NOT_YET_VALID: 'tls-expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls-wrong-name',
  HOSTNAME_MISMATCH: 'tls-wrong-name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls-untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls-untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls-untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'tls-untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls-untrusted',
  CERT_UNTRUSTED: 'tls-untrusted',
  CERT_REVOKED: 'tls-untrusted',
  CERT_REJECTED: 'tls-untrusted',
  CERT_SIGNATURE_FAILURE: 'tls-untrusted',
  CERT_CHAIN_TOO_LONG: 'tls-untrusted',
  PATH_LENGTH_EXCEEDED: 'tls-untrusted',
  UNABLE_TO_DECRYPT_CERT_SIGNATURE: 'tls-untrusted',
  UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY: 'tls-untrusted',
  ERROR_IN_CERT_NOT_BEFORE_FIELD: 'tls-untrusted',
  ERROR_IN_CERT_NOT_AFTER_FIELD: 'tls-untrusted',
  INVALID_CA: 'tls-untrusted',
  INVALID_PURPOSE: 'tls-untrusted',
  // Node's code for OpenSSL's other objections to a certificate: key too short, weak signature, ...
  UNSPECIFIED: 'tls-untrusted',
  EPROTO: 'tls-failed',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
};

/** The failure code for the error of a request; null when the error is a bug of ours and must be thrown. */
export function failureOf(error: unknown): HttpFailure | null {
  if (!(error instanceof Error)) return null;
  for (const cause of causes(error)) {
    if (cause instanceof AnswerError) return cause.failure;
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    const word = BY_CODE[code];
    if (word !== undefined) return word;
    if (code.startsWith('HPE_') || code === 'ERR_INVALID_CHAR') return 'invalid-http';
    if (/^ERR_(?:SSL|TLS|OSSL)_/.test(code)) return 'tls-failed';
    if (isDecodingError(code)) return 'invalid-encoding';
  }
  return null;
}

/** Whether a compressed body ended early or does not match its Content-Encoding. */
function isDecodingError(code: string): boolean {
  return code.startsWith('Z_') || code.startsWith('ZSTD_') || code.startsWith('ERR_ZSTD');
}

/** What the parser of headers or of a compressed body found wrong, as one phrase; null for any other error. */
export function parserWords(error: unknown): string | null {
  if (error instanceof AnswerError) return error.message;
  if (!(error instanceof Error)) return null;
  const { code = '', reason, message } = error as NodeJS.ErrnoException & { reason?: unknown };
  const words = code.startsWith('HPE_') && typeof reason === 'string' ? reason : isDecodingError(code) ? message : null;
  return words === null ? null : words.charAt(0).toLowerCase() + words.slice(1);
}

/**
 * The errors of the strict parser after which an answer is read once more, leniently. `malformed-header`: a header line is folded (RFC 9112
 * section 5.2), or has a character that must not be there. `bare-line-feed`: a line ends with LF alone (section 2.2).
 */
export type StrictError = 'malformed-header' | 'bare-line-feed';

const STRICT_ERRORS: Readonly<Record<string, StrictError>> = {
  HPE_INVALID_HEADER_TOKEN: 'malformed-header',
  HPE_CR_EXPECTED: 'bare-line-feed',
};

/** The code of an error of the strict parser that the lenient one may forgive; null for any other error. */
export function strictErrorOf(error: unknown): StrictError | null {
  return error instanceof Error ? (STRICT_ERRORS[(error as NodeJS.ErrnoException).code ?? ''] ?? null) : null;
}

/** The error, its causes, and the first error of an AggregateError (Node tries every address of a name). */
function* causes(error: Error): Generator<Error> {
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    yield current;
    if (current instanceof AggregateError && current.errors[0] instanceof Error) yield current.errors[0];
    current = current.cause;
  }
}

const UNREAD = [
  'body-too-large',
  'headers-too-large',
  'unsupported-encoding',
  'invalid-encoding',
] as const satisfies readonly HttpFailure[];

/** Whether the host answered, but with headers or a body that are too large or cannot be decoded. */
export function isUnread(failure: HttpFailure): failure is (typeof UNREAD)[number] {
  return (UNREAD as readonly HttpFailure[]).includes(failure);
}

/** Failures that every other request to the same host would repeat. */
const HOST_WIDE = [
  'dns-nxdomain',
  'dns-no-address',
  'dns-servfail',
  'dns-refused',
  'dns-timeout',
  'forbidden-address',
  'connect-refused',
  'connect-timeout',
  'no-route',
  'tls-expired',
  'tls-wrong-name',
  'tls-untrusted',
  'tls-failed',
  'tls-timeout',
  'visit-timeout',
] as const satisfies readonly HttpFailure[];

type HostWideFailure = (typeof HOST_WIDE)[number];

/** Whether a failure concerns the whole host (DNS, connect, TLS) and not only one route, so that it ends the visit. */
export function isHostWide(failure: HttpFailure): failure is HostWideFailure {
  return (HOST_WIDE as readonly HttpFailure[]).includes(failure);
}

/** Some 30 years; a larger value added to a date could exceed the range of dates. */
const MAX_SECONDS = 999_999_999;

/**
 * `Retry-After` (RFC 9110 section 10.2.3) as milliseconds from now: whole seconds or an HTTP date. Null when it is absent
 * or is neither.
 */
export function parseRetryAfter(value: string | undefined, now: EpochMs): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), MAX_SECONDS) * 1_000;
  // Date.parse accepts more than HTTP dates, whose three forms all begin with the name of a day.
  const isDate = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(text);
  // One of the three forms has no zone, which means GMT (RFC 9110 section 5.6.7).
  const date = isDate ? Date.parse(/gmt$/i.test(text) ? text : `${text} GMT`) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
