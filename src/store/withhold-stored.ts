import type { Compiler } from './compiler.ts';
import type { Sqlite } from './sqlite.ts';
import { createColumnWithholder } from './withhold-columns.ts';
import { createDocumentWithholder } from './withhold-documents.ts';
import { createFactSetWithholder } from './withhold-fact-sets.ts';
import { createStoredWithholding } from './withholding.ts';

/**
 * Replaces, in all that other people's servers were recorded to say, the names of everybody who has opted out. Everything is read, in
 * pieces; only what names one is written, in short transactions. Done once more, it changes nothing; cut short, it is done by doing it again.
 * What is recorded meanwhile is told without those names already.
 */
export function createStoredWithholder(sqlite: Sqlite, db: Compiler): () => void {
  const withholding = createStoredWithholding(sqlite, db);
  const withholders = [
    createDocumentWithholder(sqlite, db),
    createFactSetWithholder(sqlite, db),
    createColumnWithholder(sqlite),
  ];
  return () => {
    const now = withholding.ofNow();
    for (const withhold of withholders) withhold(now);
  };
}
