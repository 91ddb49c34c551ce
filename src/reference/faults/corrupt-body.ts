import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';
import type { FaultRule } from './fault-rule.ts';

const blockBytes = 1_048_576;
/** RFC 1952 section 2.3: deflate, no flags, no time, best compression, an unknown system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);

/**
 * A gzip file of one member that unpacks to so many spaces, about a thousandth of them in size. A block that is flushed whole
 * leans on nothing before it, so one is compressed and then repeated.
 */
function gzipBomb(unpackedBytes: number): Buffer {
  const block = Buffer.alloc(blockBytes, ' ');
  const count = Math.floor(unpackedBytes / blockBytes);
  const rest = block.subarray(0, unpackedBytes % blockBytes);
  const packed = deflateRawSync(block, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  let checksum = 0;
  for (let index = 0; index < count; index += 1) checksum = crc32(block, checksum);
  checksum = crc32(rest, checksum);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(unpackedBytes % 2 ** 32, 4);
  const blocks = Array.from({ length: count }, () => packed);
  return Buffer.concat([header, ...blocks, deflateRawSync(rest, { level: 9 }), trailer]);
}

/** An answer before it is sent. Header names are in lower case. */
export interface WholeAnswer {
  headers: Record<string, string>;
  body: Buffer;
}

const mebibyte = 1_048_576;

/** What a fault makes of the content of an answer; undefined: it is not the content that it spoils. */
export function corruptBody(rule: FaultRule, { headers, body }: WholeAnswer): WholeAnswer | undefined {
  const answer = (changed: Buffer | string, more: Record<string, string> = {}): WholeAnswer => {
    return { headers: { ...headers, ...more }, body: typeof changed === 'string' ? Buffer.from(changed) : changed };
  };
  switch (rule.fault) {
    case 'content-type':
      return answer(body, { 'content-type': rule.value });
    case 'invalid-utf8':
      return answer(withInvalidUtf8(body));
    case 'invalid-json':
      return answer(invalidJson(body.toString(), rule.how ?? 'cut'));
    case 'deep-json':
      return answer(deepJson(body.toString(), rule.depth ?? 1_000));
    case 'duplicate-keys':
      return answer(duplicateKeys(body.toString(), rule.right ?? 'last'));
    case 'large-body':
      return answer(Buffer.concat([Buffer.alloc(rule.bytes ?? mebibyte, ' '), body]));
    case 'large-headers':
      return answer(body, { 'x-padding': 'x'.repeat(rule.bytes ?? 65_536) });
    case 'gzip':
      return answer(gzipSync(body), { 'content-encoding': 'gzip' });
    case 'gzip-bomb':
      return answer(gzipBomb(rule.unpackedBytes ?? 64 * mebibyte), { 'content-encoding': 'gzip' });
    default:
      return undefined;
  }
}

/** Bytes that are in no UTF-8 text, in a member of its own when the body is a JSON object, else at the front. */
function withInvalidUtf8(body: Buffer): Buffer {
  const bad = Buffer.from([0xc3, 0x28, 0xff]);
  if (body[0] !== 0x7b) return Buffer.concat([bad, body]);
  const comma = body.subarray(1).toString('latin1').trimStart().startsWith('}') ? '' : ',';
  return Buffer.concat([Buffer.from('{"'), bad, Buffer.from('":"'), bad, Buffer.from(`"${comma}`), body.subarray(1)]);
}

type HowInvalid = NonNullable<Extract<FaultRule, { fault: 'invalid-json' }>['how']>;

function invalidJson(text: string, how: HowInvalid): string {
  switch (how) {
    case 'cut':
      return text.slice(0, text.length >> 1);
    case 'trailing-text':
      return `${text}\nWarning: headers already sent`;
    case 'trailing-comma':
      return text.replace(/([}\]])\s*$/, ',$1');
    case 'single-quotes':
      return text.replaceAll('"', "'");
    case 'comment':
      return `/* cached */ ${text}`;
    case 'empty':
      return '';
    case 'html':
      return '<!doctype html><title>Loops</title><div id="app"></div>';
  }
}

/** The same document with a member in front whose lists lie so deep in one another; what is no object goes into the lists. */
function deepJson(text: string, depth: number): string {
  const document = parsed(text);
  if (!isObject(document)) return '['.repeat(depth) + text + ']'.repeat(depth);
  const rest = JSON.stringify(document).slice(1);
  return `{"deep":${'['.repeat(depth)}${']'.repeat(depth)}${rest === '}' ? '' : ','}${rest}`;
}

/** Every member of every object twice, once with its value and once with null. RFC 8259 section 4 leaves open which counts. */
function duplicateKeys(text: string, right: 'first' | 'last'): string {
  const write = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
    if (!isObject(value)) return JSON.stringify(value);
    const members = Object.entries(value).flatMap(([key, member]) => {
      const name = JSON.stringify(key);
      const pair = [`${name}:${write(member)}`, `${name}:null`];
      return right === 'first' ? pair : pair.reverse();
    });
    return `{${members.join(',')}}`;
  };
  const document = parsed(text);
  return document === undefined ? text : write(document);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
