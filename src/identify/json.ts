/** Objects and lists inside one another in a document we read; a deeper one is not read. */
const MAX_DEPTH = 64;

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * A body as a JSON object; null when it is not one. A byte order mark is passed over (RFC 8259 section 8.1); nothing else
 * is repaired, so a document with anything after its end is not JSON.
 */
export function parseJsonObject(body: Uint8Array): JsonObject | null {
  const text = new TextDecoder().decode(body);
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

function isTooDeep(text: string): boolean {
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
