/** What an app may be allowed to do, specification section 5. */
export const knownScopes = ['read', 'write', 'follow'] as const;
export type Scope = (typeof knownScopes)[number];

/** What is meant where none are named. */
export const defaultScopes: readonly Scope[] = ['read'];

/**
 * The scopes of a list with a single space between them (RFC 6749 section 3.3), each once and in the order given; undefined when
 * one is unknown or the list is malformed. Nothing, and the empty text, mean the default.
 */
export function parseScopes(text: string | undefined): readonly Scope[] | undefined {
  if (text === undefined || text === '') return defaultScopes;
  const scopes = new Set<Scope>();
  for (const word of text.split(' ')) {
    const scope = knownScopes.find((known) => known === word);
    if (scope === undefined) return undefined;
    scopes.add(scope);
  }
  return [...scopes];
}

/** Whether every one of `asked` is among `allowed`. */
export function isWithin(asked: readonly string[], allowed: readonly string[]): boolean {
  return asked.every((scope) => allowed.includes(scope));
}
