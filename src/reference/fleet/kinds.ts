import type { Kind, KindsByName } from './kind.ts';
import { aliasKinds } from './kinds/alias.ts';
import { declinedKinds } from './kinds/declined.ts';
import { loopsKinds } from './kinds/loops.ts';
import { loopsWithFaultsKinds } from './kinds/loops-with-faults.ts';
import { nearMissKinds } from './kinds/near-misses.ts';
import { otherKinds } from './kinds/other.ts';
import { unidentifiedKinds } from './kinds/unidentified.ts';
import { unreachableKinds } from './kinds/unreachable.ts';

/** Every kind of host; docs/reference-kinds.md lists them all. */
export const kinds: readonly Kind[] = [
  ...named(loopsKinds),
  ...loopsWithFaultsKinds,
  ...named(otherKinds),
  ...nearMissKinds,
  ...unidentifiedKinds,
  ...declinedKinds,
  ...named(unreachableKinds),
  ...named(aliasKinds),
];

function named(kinds: KindsByName): Kind[] {
  return Object.entries(kinds).map(([name, kind]) => ({ name, ...kind }));
}
