import { MOST_DEPTH, scanJson } from './scan-json.ts';
import { showText } from './show-text.ts';
import { showValue } from './show-value.ts';

export type JsonReading =
  | {
      ok: true;
      value: unknown;
      hasByteOrderMark: boolean;
      isUtf8: boolean;
      /** Paths of members that stand in their object more than once. */
      duplicates: readonly string[];
    }
  | { ok: false /** What is wrong, as the end of a sentence about the body. */; problem: string };

/** Reads a body as JSON (RFC 8259) and tells what is odd about it, or why it is none. Pure, and never throws. */
export function readJson(body: Uint8Array): JsonReading {
  const text = new TextDecoder().decode(body);
  const { end, duplicates, isTooDeep } = scanJson(text);
  if (isTooDeep) return { ok: false, problem: `has objects and lists nested over ${MOST_DEPTH} deep` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: problemOf(text, end, error) };
  }
  return { ok: true, value, hasByteOrderMark: hasByteOrderMark(body), isUtf8: isUtf8(body), duplicates };
}

function problemOf(text: string, end: number | null, error: unknown): string {
  const trimmed = text.trim();
  if (trimmed === '') return 'is empty';
  if (/^<(?:!doctype|html|\?xml|head|body|div)/i.test(trimmed)) return 'is a page of HTML';
  if (!/^[[{]/.test(trimmed)) return `begins with ${showValue(trimmed.slice(0, 40))}, which is not JSON`;
  if (end === null) return 'is cut off before its end';
  const rest = text.slice(end).trim();
  if (rest !== '' && isJson(text.slice(0, end)))
    return `goes on after the end of the JSON, with ${showValue(rest.slice(0, 60))}`;
  return `is not valid JSON: ${showText(error instanceof Error ? error.message : String(error))}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function hasByteOrderMark([first, second, third]: Uint8Array): boolean {
  return first === 0xef && second === 0xbb && third === 0xbf;
}

function isUtf8(body: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}
