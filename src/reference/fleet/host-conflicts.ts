import type { Kind } from './kind.ts';

/** A host, as far as it may be at odds with another one. */
export interface Conflicting {
  /** Undefined: one that is still to be drawn. */
  name: string | undefined;
  /** Undefined: one that is still to be drawn, or none there is. */
  kind: Kind | undefined;
  /** Whether others may point at it: a Loops server as it comes. */
  isTarget: boolean;
}

/** What is wrong with hosts taken together: a sentence for each name that two of them have, and for pointing at nobody. */
export function hostConflicts(hosts: readonly Conflicting[]): string[] {
  const once = new Set<string>();
  const twice = new Set<string>();
  for (const { name } of hosts) {
    if (name !== undefined) (once.has(name) ? twice : once).add(name);
  }
  const problems = [...twice].map((name) => `two hosts are named ${name}; give each a name of its own`);
  const pointing = hosts.find(({ kind }) => kind?.pointsElsewhere === true)?.kind;
  if (pointing !== undefined && !hosts.some(({ isTarget }) => isTarget)) {
    problems.push(`the kind "${pointing.name}" points at a Loops server; add { "kind": "loops" }`);
  }
  return problems;
}
