import type { OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import { redactText } from '../../model/opt-outs/redact-names.ts';
import type { Row } from '../tables/column.ts';

/** What rows that were published once may not say any more. */
export interface WithheldNames {
  /** Whether there is anything of the kind. */
  readonly isAny: boolean;
  /** A row as it may be published: the same where it says nothing of the kind, null where none of it may. */
  rowOf(row: Row): Row | null;
}

/**
 * @param withheld domains that ask to be left out.
 * @param optedOut of these no row may be published, and what others say may not name them.
 */
export function createWithheldNames(withheld: ReadonlySet<string>, optedOut: OptOutSet): WithheldNames {
  const redacted = (value: unknown) => (typeof value === 'string' ? redactText(value, optedOut) : value);
  return {
    isAny: withheld.size > 0 || optedOut.size > 0,
    rowOf(row) {
      const { domain, aliasOf } = row;
      if (typeof domain === 'string' && (withheld.has(domain) || optedOut.has(domain))) return null;
      const changed: Record<string, unknown> = {};
      for (const column of ['aliasOf', 'software', 'version']) {
        const value = redacted(row[column]);
        if (value !== row[column]) changed[column] = value;
      }
      if (typeof aliasOf === 'string' && withheld.has(aliasOf)) changed.aliasOf = null;
      return Object.keys(changed).length === 0 ? row : { ...row, ...changed };
    },
  };
}
