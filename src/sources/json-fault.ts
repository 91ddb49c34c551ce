/** Where a text stops being JSON (RFC 8259), counted from 1, and what was expected there. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

const expectations = {
  value: 'a value',
  'value or end': 'a value or "]"',
  'key or end': 'a key in double quotes or "}"',
  key: 'a key in double quotes',
  colon: '":"',
  'comma or end': '"," or the end of the list or object',
  nothing: 'the end of the text',
} as const;

const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/**
 * Finds the first fault of a text that `JSON.parse` refuses, whose own messages name a place only sometimes.
 * Returns null for valid JSON.
 */
export function jsonFault(text: string): JsonFault | null {
  const open: ('{' | '[')[] = [];
  let expected: keyof typeof expectations = 'value';
  let at = 0;
  for (;;) {
    while (' \t\r\n'.includes(text[at] ?? '-')) at += 1;
    const character = text[at];
    if (character === undefined && expected === 'nothing') return null;
    const inside = open.at(-1);
    const end = endOfToken(text, at);
    if (end === -1 || character === undefined) break;
    if (character === '}' || character === ']') {
      const mayEnd = expected === 'comma or end' || expected === (character === '}' ? 'key or end' : 'value or end');
      if (!mayEnd || inside !== (character === '}' ? '{' : '[')) break;
      open.pop();
      expected = open.length === 0 ? 'nothing' : 'comma or end';
    } else if (character === ',') {
      if (expected !== 'comma or end') break;
      expected = inside === '{' ? 'key' : 'value';
    } else if (character === ':') {
      if (expected !== 'colon') break;
      expected = 'value';
    } else if (expected === 'key' || expected === 'key or end') {
      if (character !== '"') break;
      expected = 'colon';
    } else if (expected === 'value' || expected === 'value or end') {
      if (character === '{' || character === '[') {
        open.push(character);
        expected = character === '{' ? 'key or end' : 'value or end';
      } else expected = open.length === 0 ? 'nothing' : 'comma or end';
    } else break;
    at = end;
  }
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1, expected: expectations[expected] };
}

/** Where the token that begins here ends, or -1 when none does. */
function endOfToken(text: string, at: number): number {
  const character = text[at] ?? ' ';
  if ('{}[],:'.includes(character)) return at + 1;
  if (character === '"') return endOfString(text, at + 1);
  scalar.lastIndex = at;
  return scalar.test(text) ? scalar.lastIndex : -1;
}

function endOfString(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '"') return at + 1;
    if (character < ' ') return -1;
    if (character !== '\\') continue;
    const escaped = /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(at + 1, at + 6))?.[0];
    if (escaped === undefined) return -1;
    at += escaped.length;
  }
  return -1;
}
