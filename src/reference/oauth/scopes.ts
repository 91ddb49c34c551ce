/** The scopes of the specification, section 5. */
export const knownScopes = ['read', 'write', 'follow'] as const;
export type Scope = (typeof knownScopes)[number];

/** The scopes of a request that names none. */
export const defaultScopes: readonly Scope[] = ['read'];

/**
 * The distinct scopes of a list separated by single spaces (RFC 6749 section 3.3), in order. Undefined when the list is
 * malformed or has an unknown scope. A missing or empty list means the default scopes.
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

/** Whether every requested scope is allowed. */
export function areScopesAllowed(requested: readonly string[], allowed: readonly string[]): boolean {
  return requested.every((scope) => allowed.includes(scope));
}
