import { type OptOutSet, REDACTED_NAME } from '../../model/opt-outs/opt-out-names.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';

/** Creates {@link StoreReader.mustBeRedacted}. A current noindex signal also redacts the domain in past states. */
export function createRedactionReader(sqlite: Sqlite, optedOut: OptOutSet): (domain: string) => boolean {
  const asksNotToBePublished = sqlite
    .prepare<{ domain: string }, 0 | 1>(
      `select exists (select 1 from domains where domain = @domain and noindex = 1)
        or exists (select 1 from main.domains where domain = @domain and noindex = 1)`,
    )
    .pluck();
  return (domain) => domain !== REDACTED_NAME && (optedOut.has(domain) || asksNotToBePublished.get({ domain }) === 1);
}
