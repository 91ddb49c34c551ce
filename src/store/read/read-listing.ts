import type { Domain } from '../../model/domain/domain.ts';
import type { DomainState } from '../../model/domain-record.ts';
import { createOptOutFinder } from '../opt-outs/opted-out.ts';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { Listing, StoreReader } from '../store-reader.ts';
import { listedInstead } from './listed.ts';

type Unlisted = Exclude<Listing, { listed: true } | { because: 'same-instance' | 'opted-out' }>['because'];

/** Why a state excludes a Loops instance from the directory; null when it does not. */
const reasonByState = {
  new: 'revived',
  active: null,
  failing: null,
  dead: 'dead',
  gone: 'gone',
} as const satisfies Record<DomainState, Unlisted | null>;

/** Gives the reason for the result of the condition `listed`. */
export function createListingReader(sqlite: Sqlite, db: Compiler): StoreReader['listingOf'] {
  const find = prepare(sqlite, (parameter: QueryParameter<{ domain: Domain }>) =>
    db
      .selectFrom('domains')
      .select(['state', 'identified_as', 'noindex', 'last_visit', listedInstead.as('same_instance')])
      .where('domains.domain', '=', parameter('domain')),
  );
  const optedOutAt = createOptOutFinder(sqlite);
  return (domain) => {
    const unlisted = (reason: Unlisted): Listing => ({ listed: false, because: reason });
    const since = optedOutAt(domain);
    if (since !== null) return { listed: false, because: 'opted-out', since };
    const row = find.get({ domain });
    if (row === undefined) return null;
    if (row.identified_as !== 'loops') return unlisted(row.last_visit === null ? 'never-visited' : 'not-loops');
    const byState = reasonByState[row.state];
    if (byState !== null) return unlisted(byState);
    if (row.noindex === 1) return unlisted('noindex');
    if (row.same_instance !== null) return { listed: false, because: 'same-instance', as: row.same_instance };
    return { listed: true };
  };
}
