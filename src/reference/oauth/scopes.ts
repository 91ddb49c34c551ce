import type { Profile } from '../state.ts';

/** The scopes of the specification, section 5, and those of live servers. */
export const scopesOf = {
  spec: ['read', 'write', 'follow'],
  live: ['user:read', 'user:write', 'video:create', 'video:read'],
} as const satisfies Record<Profile, readonly string[]>;
export type Scope = (typeof scopesOf)[Profile][number];

/** The scopes of a request that names none. */
const defaultScopes: Record<Profile, readonly Scope[]> = { spec: ['read'], live: [] };

/** The scopes of a request, or the problem with them as a sentence. */
export type RequestedScopes =
  | { readonly scopes: readonly Scope[]; readonly problem?: never }
  | { readonly scopes?: never; readonly problem: string };

/** The scopes that a request may name. */
interface AllowedScopes {
  readonly scopes: readonly string[];
  /** What limits the scopes, for the sentence "The scope read is beyond ...". */
  readonly limitedBy: string;
}

/**
 * The distinct scopes of a list separated by single spaces (RFC 6749 section 3.3), in order. A missing or empty list means the
 * default scopes. Apps of live servers register no scopes, so that every app may request each of them.
 */
export function readScopes(text: string | undefined, profile: Profile, allowed?: AllowedScopes): RequestedScopes {
  const words = text === undefined || text === '' ? defaultScopes[profile] : text.split(' ');
  const scopes = new Set<Scope>();
  for (const word of words) {
    const scope = scopesOf[profile].find((known) => known === word);
    if (scope === undefined) return { problem: unknownScope(word, scopesOf[profile]) };
    if (profile === 'spec' && allowed?.scopes.includes(scope) === false)
      return { problem: `The scope ${scope} is beyond ${allowed.limitedBy}.` };
    scopes.add(scope);
  }
  return { scopes: [...scopes] };
}

/** Names the scope only if it is short and cannot be markup or end a header. */
function unknownScope(word: string, known: readonly string[]): string {
  if (word === '') return 'The scopes must have single spaces between them.';
  const name = /^[\w.:/-]{1,40}$/.test(word) ? `The scope ${word}` : 'One of the scopes';
  return `${name} is unknown; the scopes are ${known.slice(0, -1).join(', ')} and ${known.at(-1)}.`;
}
