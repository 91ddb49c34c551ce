import type { OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import { redactText } from '../../model/opt-outs/redact-names.ts';
import type { Row } from '../tables/column.ts';

/** Removes from published rows the domains that must no longer be published. */
export interface RowRedaction {
  /** Whether no row is affected. */
  readonly isEmpty: boolean;
  /** The redacted row: the same object when unaffected, null when the row must be removed. */
  apply(row: Row): Row | null;
}

/**
 * @param noindex domains that ask not to be published.
 * @param optedOut the opt-outs in force; their names are removed from texts too.
 */
export function createRowRedaction(noindex: ReadonlySet<string>, optedOut: OptOutSet): RowRedaction {
  const redact = (value: unknown) => (typeof value === 'string' ? redactText(value, optedOut) : value);
  return {
    isEmpty: noindex.size === 0 && optedOut.size === 0,
    apply(row) {
      const { domain, aliasOf } = row;
      if (typeof domain === 'string' && (noindex.has(domain) || optedOut.has(domain))) return null;
      const changed: Record<string, unknown> = {};
      for (const column of ['aliasOf', 'software', 'version']) {
        const value = redact(row[column]);
        if (value !== row[column]) changed[column] = value;
      }
      if (typeof aliasOf === 'string' && noindex.has(aliasOf)) changed.aliasOf = null;
      return Object.keys(changed).length === 0 ? row : { ...row, ...changed };
    },
  };
}
