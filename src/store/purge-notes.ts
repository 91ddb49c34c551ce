import { z } from 'zod';
import type { Compiler } from './compiler.ts';
import { createNoteKeeper, createNoteReader } from './keep-note.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { Sqlite } from './sqlite.ts';

const UNDER_WAY = 'purge-under-way';
const UNPUBLISHED = 'purge-unpublished';

/** Who began a purge and has not ended it. Whose it is is not kept: what all who have opted out left is looked for again. */
const UnderWay = z.object({ owners: z.array(z.string()) });

/** Counts purges since the last that was published. */
const Unpublished = z.object({ number: z.number() });

/** What a purge leaves to be done if its process dies: the rest of it, and the files that were published before. */
export interface PurgeNotes {
  /** Whose purges are under way, or were cut short. */
  owners(): readonly string[];
  begin(owner: string): void;
  /** Nothing is left of what these had begun. */
  end(owners: readonly string[]): void;
  /** Null when everything that was purged is gone from the published files. */
  unpublished(): number | null;
  /** To be told in the transaction that opts out. */
  addUnpublished(): void;
  /** The files were written after this purge; nothing is forgotten of those that came after. */
  dropUnpublished(number: number): void;
}

export function createPurgeNotes(sqlite: Sqlite, db: Compiler): PurgeNotes {
  const underWay = createNoteReader(sqlite, db, UNDER_WAY, UnderWay);
  const keepUnderWay = createNoteKeeper<z.infer<typeof UnderWay>>(sqlite, db, UNDER_WAY);
  const unpublished = createNoteReader(sqlite, db, UNPUBLISHED, Unpublished);
  const keepUnpublished = createNoteKeeper<z.infer<typeof Unpublished>>(sqlite, db, UNPUBLISHED);
  const drop = prepare(sqlite, (value: Placeholder<{ key: string }>) =>
    db.deleteFrom('notes').where('key', '=', value('key')),
  );
  const dropIf = sqlite.transaction((number: number) => {
    if (unpublished()?.number === number) drop.run({ key: UNPUBLISHED });
  });
  const owners = () => underWay()?.owners ?? [];
  return {
    owners,
    begin: (owner) => keepUnderWay({ owners: [...new Set([...owners(), owner])] }),
    end: (ended) => {
      const left = owners().filter((owner) => !ended.includes(owner));
      if (left.length === 0) drop.run({ key: UNDER_WAY });
      else keepUnderWay({ owners: left });
    },
    unpublished: () => unpublished()?.number ?? null,
    addUnpublished: () => keepUnpublished({ number: (unpublished()?.number ?? 0) + 1 }),
    dropUnpublished: (number) => dropIf.immediate(number),
  };
}
