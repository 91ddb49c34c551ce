import type { Domain } from '../domain/domain.ts';
import { storedDomain } from '../domain/stored-domain.ts';

/** What a step says whose answer redirects to another host. */
export function redirectNote(to: Domain): string {
  return `redirects to ${to}`;
}

/** The host that such a note names, whatever was added to it later; null of any other note. */
export function redirectNoted(note: string): Domain | null {
  // A host has a dot and neither a slash nor a space before the end or a comma; a path begins with a slash.
  const host = /^redirects to ([a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?)(?:, which redirects back here)?$/.exec(note)?.[1];
  return host === undefined ? null : storedDomain(host);
}
