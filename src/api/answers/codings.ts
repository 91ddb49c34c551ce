import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';
/** How an answer can be sent, what saves most first. */
const CODINGS = ['br', 'gzip', 'identity'] as const;
export type Coding = (typeof CODINGS)[number];

/** Acceptable though it is not named, but less than anything that is. */
const UNNAMED = 0.0001;
const MOST_READ = 20;

const compressors: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body) => gzipped(body, { level: 6 }),
};
const brotli = promisify<Buffer, object, Buffer>(brotliCompress);
const gzipped = promisify<Buffer, object, Buffer>(gzip);

/** On a thread of the pool. */
export function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  return compressors[encoding](body);
}

/**
 * The codings that `Accept-Encoding` accepts, the most wanted first, and of those that are wanted alike the one that saves most; none
 * when it rules all of them out (RFC 9110 section 12.5.3). A request without it is sent what it is.
 */
export function acceptedCodings(accepted: string | undefined): readonly Coding[] {
  if (accepted === undefined) return ['identity'];
  const weights = new Map(accepted.toLowerCase().split(',').slice(0, MOST_READ).map(weightOf));
  const weight = (coding: Coding) => weights.get(coding) ?? weights.get('*') ?? (coding === 'identity' ? UNNAMED : 0);
  return CODINGS.filter((coding) => weight(coding) > 0).sort((one, other) => weight(other) - weight(one));
}

function weightOf(item: string): [name: string, weight: number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const weight = given === undefined ? 1 : Number(given);
  // RFC 9110 section 8.4.1.3: x-gzip is gzip.
  return [name === 'x-gzip' ? 'gzip' : name, Number.isFinite(weight) ? weight : 0];
}
