import type { InstanceFacts } from '../../model/facts/instance-facts.ts';

/** Who can join. `approval`: registration is on, in a reported mode other than `open`. */
export type Registration = 'open' | 'approval' | 'closed' | 'unknown';

export function registrationOf({ open, mode }: InstanceFacts['registration']): Registration {
  if (open === null) return 'unknown';
  if (!open) return 'closed';
  return mode === null || mode === 'open' ? 'open' : 'approval';
}
