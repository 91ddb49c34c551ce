import Tokenizer from '@streamparser/json/tokenizer.js';
import type TokenType from '@streamparser/json/utils/types/tokenType.js';
import { ANNOUNCEMENT_DEPTH, announcesPage } from '../next-page.ts';
import { EntryBuilder } from './entry-builder.ts';
import { JsonError, JsonGrammar } from './json-grammar.ts';

/** Keys from the root down; `*` is every member of a list. */
export type JsonPath = readonly string[];

export interface JsonSelection {
  /** Path of the entries: `['data', '*']`. */
  readonly entries: JsonPath;
  /** Paths of single values outside the entries. */
  readonly values?: readonly JsonPath[];
}

/** What a JSON text contains besides its entries. */
export interface JsonFindings {
  /** In the order of the selection; undefined for a missing value, {@link NESTED} for a list or an object. */
  values: unknown[];
  /** The dotted path of a value that announces a further page; null without one. */
  nextPage: string | null;
  /** Whether there was a list at the path of the entries. */
  hasList: boolean;
  /** Describes the whole text: `an object with the keys "error"`. */
  rootDescription: string;
}

/** Stands for a list or an object where a single value was expected. */
export const NESTED = Symbol('a list or an object');

/** Far longer than any host, software name or cursor. */
const MAX_STRING_LENGTH = 1_048_576;
const MAX_KEYS_SHOWN = 8;
/** Bytes parsed at a time, so that few entries are in memory at once. */
const PIECE_BYTES = 2_048;

interface Frame {
  isList: boolean;
  key: string;
  /** Whether all of its ancestors are on the path to the entries. */
  isOnPath: boolean;
}

/**
 * Streams the entries of a JSON text. Memory does not grow with the length of the text, and by only one byte per level of nesting. Large
 * entries are truncated. Within an entry, the last value of a repeated key counts.
 *
 * @param findings filled while the text is read.
 * @throws {JsonError} at the first syntax error; the entries before it have been yielded.
 */
export async function* selectJson(
  chunks: AsyncIterable<Uint8Array>,
  { entries, values = [] }: JsonSelection,
  findings: JsonFindings,
): AsyncGenerator<unknown> {
  const grammar = new JsonGrammar();
  const tokenizer = new Tokenizer({ emitPartialTokens: true });
  const maxPathLength = Math.max(ANNOUNCEMENT_DEPTH, entries.length, ...values.map((path) => path.length));
  /** The open lists and objects, but none deeper than the paths. */
  const frames: Frame[] = [];
  const rootKeys: string[] = [];
  let completeEntries: unknown[] = [];
  let building: EntryBuilder | null = null;

  const isEntry = () => grammar.depth === entries.length && isOnEntryPath(entries.length);
  /** Whether a value that begins at this depth is on the path to the entries. */
  const isOnEntryPath = (depth: number) => {
    const frame = frames[depth - 1];
    if (depth === 0 || frame === undefined) return depth === 0;
    const step = entries[depth - 1];
    return (
      depth <= entries.length && frame.isOnPath && (step === '*' ? frame.isList : !frame.isList && step === frame.key)
    );
  };
  const recordValue = (depth: number, value: unknown) => {
    for (const [index, path] of values.entries()) {
      const isHere = path.length === depth && path.every((key, at) => !frames[at]?.isList && frames[at]?.key === key);
      if (isHere) findings.values[index] = value;
    }
    if (findings.nextPage !== null || value === NESTED || depth > ANNOUNCEMENT_DEPTH) return;
    const inner = frames[depth - 1];
    if (
      inner === undefined ||
      inner.isList ||
      (inner.key !== 'rel' && frames.slice(0, depth).some(({ isList }) => isList))
    )
      return;
    const path = frames.slice(0, depth).map(({ key }) => key);
    if (announcesPage(inner.key, path.at(-2), value)) findings.nextPage = path.filter((key) => key !== '').join('.');
  };

  function handleToken(token: TokenType, value: unknown, offset: number): void {
    const depth = grammar.depth;
    const mayBeginEntry = building === null && isEntry();
    const role = grammar.accept(token, offset);
    if (building !== null) {
      if (role === 'key') building.key(String(value));
      else if (role === 'scalar') building.scalar(value);
      else if (role === 'close') {
        const entry = building.close();
        if (entry !== undefined) {
          completeEntries.push(entry);
          building = null;
        }
      } else if (role !== 'mark') building.open(role === 'open-list');
      return;
    }
    if (role === 'mark') return;
    if (role === 'close') {
      if (frames.length > grammar.depth) frames.pop();
      return;
    }
    if (role === 'key') {
      const frame = frames[depth - 1];
      if (frame !== undefined) frame.key = String(value);
      if (depth === 1 && rootKeys.length < MAX_KEYS_SHOWN) rootKeys.push(String(value).slice(0, 40));
      return;
    }
    if (depth === 0) findings.rootDescription = role === 'scalar' ? JSON.stringify(value).slice(0, 200) : '';
    if (mayBeginEntry) {
      if (role === 'scalar') completeEntries.push(value);
      else building = new EntryBuilder(role === 'open-list');
      return;
    }
    recordValue(depth, role === 'scalar' ? value : NESTED);
    if (role === 'scalar') return;
    const isOnPath = isOnEntryPath(depth);
    if (isOnPath && depth === entries.length - 1 && role === 'open-list') findings.hasList = true;
    if (depth < maxPathLength) frames.push({ isList: role === 'open-list', key: '', isOnPath });
    if (depth === 0) findings.rootDescription = role === 'open-list' ? 'a list' : 'an object';
  }

  tokenizer.onToken = ({ token, value, offset, partial }) => {
    if (partial !== true) handleToken(token, value, offset);
    else if (typeof value === 'string' && value.length > MAX_STRING_LENGTH)
      throw new JsonError('it contains a string of over 1 MiB');
  };
  const runParser = (work: () => void) => {
    try {
      work();
    } catch (error) {
      throw asJsonError(error);
    } finally {
      if (findings.rootDescription === 'an object' && rootKeys.length > 0)
        findings.rootDescription = `an object with the keys ${rootKeys.map((key) => JSON.stringify(key)).join(', ')}`;
    }
  };
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      let fault: unknown = null;
      try {
        runParser(() => tokenizer.write(chunk.subarray(start, start + PIECE_BYTES)));
      } catch (error) {
        fault = error;
      }
      const found = completeEntries;
      completeEntries = [];
      yield* found;
      if (fault !== null) throw fault;
    }
  }
  runParser(() => {
    if (!tokenizer.isEnded) tokenizer.end();
    grammar.end();
  });
  yield* completeEntries;
}

function asJsonError(error: unknown): unknown {
  if (error instanceof JsonError || !(error instanceof Error)) return error;
  // Messages of the tokenizer name the position in the text.
  const place = /position "?(\d+)/.exec(error.message)?.[1];
  return new JsonError(`it is not JSON${place === undefined ? '' : `: see byte ${place}`}`, { cause: error });
}
