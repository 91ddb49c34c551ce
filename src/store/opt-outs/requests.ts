import type { Sqlite } from '../sqlite/sqlite.ts';
import type { RequestMark } from '../store-reader.ts';

/** Reads whether there are requests not to be published that a reader does not know yet: opt-outs and noindex signals. */
export function createRequestReader(sqlite: Sqlite) {
  const last = sqlite.prepare<[], RequestMark>(
    'select (select ifnull(max(id), 0) from opt_outs) as optOuts, (select ifnull(max(id), 0) from changes) as changes',
  );
  const hasSince = sqlite
    .prepare<[RequestMark], 0 | 1>(
      `select exists (select 1 from opt_outs where id > @optOuts) or exists (
        select 1 from changes cross join domains on domains.id = changes.domain_id
        where changes.id > @changes and field = 'noindex' and domains.noindex = 1 and was_ever_loops = 1)`,
    )
    .pluck();
  return {
    last: () => last.get() ?? { optOuts: 0, changes: 0 },
    hasSince: (mark: RequestMark) => hasSince.get(mark) === 1,
  };
}
