import { sql } from 'kysely';
import { anonymiseSource } from '../../model/opt-outs/anonymise-source.ts';
import type { OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import { redactText } from '../../model/opt-outs/redact-names.ts';
import type { Compiler } from '../sqlite/compiler.ts';
import { type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { Store } from '../store.ts';
import type { UnaskedSource } from './source-state.ts';

/** Who is offline for long looks every few seconds: what is written each time would be news to every reader. */
const LEAST_BETWEEN_MS = 60_000;

/** Keeps which sources were to be read and were not asked, and why. */
export function createUnaskedNoter(sqlite: Sqlite, db: Compiler, optedOut: OptOutSet): Store['noteUnasked'] {
  const note = prepare(sqlite, (value: Placeholder<UnaskedSource>) =>
    db
      .insertInto('unasked_sources')
      .values({ key: value('key'), at: value('at'), why: value('why') })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({ at: value('at'), why: value('why') })
          // A clock that was ahead is no reason to be silent.
          .where(sql<boolean>`abs(excluded.at - unasked_sources.at) >= ${sql.lit(LEAST_BETWEEN_MS)}`),
      ),
  );
  return sqlite.transaction((sources: readonly UnaskedSource[]) => {
    for (const { key: named, at, why: said } of sources) {
      const { key } = anonymiseSource({ key: named, label: named }, optedOut);
      note.run({ key, at, why: redactText(said, optedOut) });
    }
  }).immediate;
}
