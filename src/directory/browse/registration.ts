import type { InstanceEntry } from '../schema/instance-entry.ts';

/** Who can join. `approval`: registration is on, in a reported mode other than `open`. */
export type Registration = 'open' | 'approval' | 'closed' | 'unknown';

export function registrationOf({ open, mode }: InstanceEntry['registration']): Registration {
  if (open === null) return 'unknown';
  if (!open) return 'closed';
  return mode === null || mode === 'open' ? 'open' : 'approval';
}
