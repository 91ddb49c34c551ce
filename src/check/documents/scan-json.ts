/** What a walk over JSON text shows that parsing it does not tell. */
export interface JsonScan {
  /** Where the first object or list ends, one past its last character; null when it does not end. */
  end: number | null;
  /** Paths of members that stand in their object more than once. */
  duplicates: readonly string[];
  /** Whether objects and lists are inside one another too deep; the walk ends there. */
  isTooDeep: boolean;
}

/** Objects and lists inside one another that a crawl reads. */
export const MOST_DEPTH = 64;

interface Open {
  /** Null for a list. */
  keys: Set<string> | null;
  /** The member that is being read. */
  key: string;
}

/** Walks over the first object or list of a text, be it valid or not. Never throws, and does not call itself. */
export function scanJson(text: string): JsonScan {
  const open: Open[] = [];
  const duplicates = new Set<string>();
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      if (end === null) return { end: null, duplicates: [...duplicates], isTooDeep: false };
      const top = open.at(-1);
      if (top?.keys != null && isFollowedByColon(text, end)) {
        top.key = decode(text.slice(at, end));
        if (top.keys.has(top.key)) duplicates.add(open.map(({ key }) => key || '[]').join('.'));
        top.keys.add(top.key);
      }
      at = end - 1;
    } else if (character === '{' || character === '[') {
      open.push({ keys: character === '{' ? new Set() : null, key: '' });
      if (open.length > MOST_DEPTH) return { end: null, duplicates: [...duplicates], isTooDeep: true };
    } else if ((character === '}' || character === ']') && open.length > 0) {
      open.pop();
      if (open.length === 0) return { end: at + 1, duplicates: [...duplicates], isTooDeep: false };
    }
  }
  return { end: null, duplicates: [...duplicates], isTooDeep: false };
}

/** One past the closing quote of the string that begins at a quote; null when there is none. */
function endOfString(text: string, start: number): number | null {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return null;
}

function isFollowedByColon(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at++;
  return text[at] === ':';
}

function decode(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
