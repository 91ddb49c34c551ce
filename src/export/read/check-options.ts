interface Checked {
  readonly previous?: { readonly etag: string | null; readonly lastModified: string | null } | undefined;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Timers of more than 31 bits run out at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** @throws {TypeError} naming the option that cannot be used, what it is, and what it should be. */
export function checkOptions({ timeoutMs = 1, maxBytes = 1, headers = {}, previous }: Checked): void {
  if (!(timeoutMs >= 1 && timeoutMs <= LONGEST_MS)) {
    throw new TypeError(`timeoutMs is ${timeoutMs}; give milliseconds from 1 to ${LONGEST_MS}`);
  }
  if (!(maxBytes >= 1)) throw new TypeError(`maxBytes is ${maxBytes}; give a number of bytes, or Infinity for any`);
  for (const [name, value] of Object.entries(headers)) {
    if (!canBeSent(name, value)) throw new TypeError(`headers.${name} is no header that can be sent`);
  }
  for (const name of ['etag', 'lastModified'] as const) {
    const value = previous?.[name] ?? null;
    if (value !== null && !canBeSent('if-none-match', value)) {
      throw new TypeError(`previous.${name} is no text that a server sent; leave previous out, and all is read anew`);
    }
  }
}

function canBeSent(name: string, value: unknown): boolean {
  try {
    new Headers().set(name, value as string);
    return typeof value === 'string';
  } catch {
    return false;
  }
}
