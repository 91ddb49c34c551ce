import { z } from 'zod';
import { createNoteKeeper, createNoteReader } from '../notes.ts';
import type { Compiler } from '../sqlite/compiler.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';

const KEY = 'kept-since';

/** From when on all is kept, in epoch milliseconds: nothing that began later was ever thrown away. */
export const KeptSince = z.object({ visits: z.number(), usage: z.number() });
export type KeptSince = z.infer<typeof KeptSince>;

const ALWAYS: KeptSince = { visits: Number.MIN_SAFE_INTEGER, usage: Number.MIN_SAFE_INTEGER };

export interface KeptSinceKeeper {
  load(): KeptSince;
  /** To be saved before anything is thrown away; what was thrown away once is gone for good. */
  save(since: KeptSince): void;
}

export function createKeptSinceKeeper(sqlite: Sqlite, db: Compiler): KeptSinceKeeper {
  const noted = createNoteReader(sqlite, db, KEY, KeptSince);
  const keep = createNoteKeeper<KeptSince>(sqlite, db, KEY);
  const load = (): KeptSince => noted() ?? ALWAYS;
  return {
    load,
    save(since) {
      const before = load();
      keep({ visits: Math.max(before.visits, since.visits), usage: Math.max(before.usage, since.usage) });
    },
  };
}
