/** Objects and lists inside one another in a document we read; a deeper one is not read. */
export const MAX_DEPTH = 64;

const UTF8 = new TextDecoder();

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * A body as a JSON object; null when it is not one. A byte order mark is passed over (RFC 8259 section 8.1); nothing else
 * is repaired, so a document with anything after its end is not JSON.
 */
export function parseJsonObject(body: Uint8Array): JsonObject | null {
  const text = UTF8.decode(body);
  if (isTooDeep(text)) return null;
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The value as an object, or null: a list is not one. */
export function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** An own property: a document cannot reach what objects inherit. */
export function property(object: JsonObject | null, key: string): unknown {
  return object !== null && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Whether objects and lists are nested over {@link MAX_DEPTH} deep. Nearly every document opens fewer, which is quickly counted. */
export function isTooDeep(text: string): boolean {
  return count(text, '{') + count(text, '[') > MAX_DEPTH && depthExceeds(text);
}

function count(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) found++;
  return found;
}

function depthExceeds(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}
