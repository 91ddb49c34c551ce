import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';
import type { Fault, FaultRule } from './fault-rule.ts';

/** The content of an answer. Header names are in lower case. */
export interface AnswerContent {
  headers: Record<string, string>;
  body: Buffer;
}

const mebibyte = 1_048_576;

/** The corrupted content of an answer; undefined when the fault does not affect the content. */
export function corruptBody(rule: FaultRule, { headers, body }: AnswerContent): AnswerContent | undefined {
  const contentWith = (newBody: Buffer | string, addedHeaders: Record<string, string> = {}): AnswerContent => {
    return {
      headers: { ...headers, ...addedHeaders },
      body: typeof newBody === 'string' ? Buffer.from(newBody) : newBody,
    };
  };
  switch (rule.fault) {
    case 'content-type':
      return contentWith(body, { 'content-type': rule.value });
    case 'json-members':
      return contentWith(withMembers(body.toString(), rule));
    case 'invalid-utf8':
      return contentWith(withInvalidUtf8(body));
    case 'invalid-json':
      return contentWith(invalidJson(body.toString(), rule.how ?? 'cut'));
    case 'deep-json':
      return contentWith(deepJson(body.toString(), rule.depth ?? 1_000));
    case 'duplicate-keys':
      return contentWith(duplicateKeys(body.toString(), rule.right ?? 'last'));
    case 'large-body':
      return contentWith(Buffer.concat([Buffer.alloc(rule.bytes ?? mebibyte, ' '), body]));
    case 'large-headers':
      return contentWith(body, { 'x-padding': 'x'.repeat(rule.bytes ?? 65_536) });
    case 'gzip':
      return contentWith(gzipSync(body), { 'content-encoding': 'gzip' });
    case 'gzip-bomb':
      return contentWith(gzipBomb(rule.unpackedBytes ?? 64 * mebibyte), { 'content-encoding': 'gzip' });
    default:
      return undefined;
  }
}

/** Sets and removes members of the JSON by path, such as `data.media.src_url`; a path whose parent is missing has no effect. */
function withMembers(text: string, { set = {}, remove = [] }: Fault<'json-members'>): string {
  const document = parseJson(text);
  const change = (path: string, edit: (parent: Record<string, unknown>, key: string) => void) => {
    const keys = path.split('.');
    const key = keys.pop() ?? '';
    const parent = keys.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), document);
    if (isObject(parent)) edit(parent, key);
  };
  for (const [path, value] of Object.entries(set))
    change(path, (parent, key) => Object.assign(parent, { [key]: value }));
  for (const path of remove) change(path, (parent, key) => Reflect.deleteProperty(parent, key));
  return document === undefined ? text : JSON.stringify(document);
}

/** Adds bytes that are not UTF-8: as an extra member of a JSON object, else at the start. */
function withInvalidUtf8(body: Buffer): Buffer {
  // 0xc3 begins a sequence that 0x28 does not continue; 0xff never occurs in UTF-8.
  const invalid = Buffer.from([0xc3, 0x28, 0xff]);
  const openingBrace = 0x7b;
  if (body[0] !== openingBrace) return Buffer.concat([invalid, body]);
  const comma = body.subarray(1).toString('latin1').trimStart().startsWith('}') ? '' : ',';
  return Buffer.concat([
    Buffer.from('{"'),
    invalid,
    Buffer.from('":"'),
    invalid,
    Buffer.from(`"${comma}`),
    body.subarray(1),
  ]);
}

type InvalidJsonForm = NonNullable<Extract<FaultRule, { fault: 'invalid-json' }>['how']>;

function invalidJson(text: string, form: InvalidJsonForm): string {
  switch (form) {
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

/** Gives an object a first member of lists nested `depth` deep. Wraps any other document in such lists. */
function deepJson(text: string, depth: number): string {
  const document = parseJson(text);
  if (!isObject(document)) return '['.repeat(depth) + text + ']'.repeat(depth);
  const otherMembers = JSON.stringify(document).slice(1);
  return `{"deep":${'['.repeat(depth)}${']'.repeat(depth)}${otherMembers === '}' ? '' : ','}${otherMembers}`;
}

/** Repeats every member of every object with the value null. RFC 8259 section 4 does not define which one counts. */
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
  const document = parseJson(text);
  return document === undefined ? text : write(document);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const blockBytes = mebibyte;
/** RFC 1952 section 2.3: the signature, deflate, no flags, no time, best compression, an unknown system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);

/**
 * A gzip file that unpacks to `unpackedBytes` spaces and is about a thousandth of that size. A fully flushed block does not
 * refer to earlier ones, so one block is compressed once and then repeated.
 */
function gzipBomb(unpackedBytes: number): Buffer {
  const block = Buffer.alloc(blockBytes, ' ');
  const blockCount = Math.floor(unpackedBytes / blockBytes);
  const lastBlock = block.subarray(0, unpackedBytes % blockBytes);
  const packed = deflateRawSync(block, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  let checksum = 0;
  for (let index = 0; index < blockCount; index += 1) checksum = crc32(block, checksum);
  checksum = crc32(lastBlock, checksum);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(unpackedBytes % 2 ** 32, 4);
  const blocks = Array.from({ length: blockCount }, () => packed);
  return Buffer.concat([gzipHeader, ...blocks, deflateRawSync(lastBlock, { level: 9 }), trailer]);
}
