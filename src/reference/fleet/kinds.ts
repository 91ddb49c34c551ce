import type { Kind } from './kind.ts';
import { aliasKinds } from './kinds/alias.ts';
import { declinedKinds } from './kinds/declined.ts';
import { loopsKinds } from './kinds/loops.ts';
import { nearMissKinds } from './kinds/near-misses.ts';
import { otherKinds } from './kinds/other.ts';
import { unidentifiedKinds } from './kinds/unidentified.ts';
import { unreachableKinds } from './kinds/unreachable.ts';

/** Every sort of host that a fleet can hold; the README lists them all. */
export const kinds: readonly Kind[] = [
  ...loopsKinds,
  ...otherKinds,
  ...nearMissKinds,
  ...unidentifiedKinds,
  ...declinedKinds,
  ...unreachableKinds,
  ...aliasKinds,
];
