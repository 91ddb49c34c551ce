import { createCoverage } from '../../domain/opt-out-names.ts';
import { withholdNamesInText } from '../../domain/withhold-names.ts';
import type { Row } from '../table/column.ts';

/** What rows that were published once may not say any more. */
export interface WithheldNames {
  /** Whether there is anything of the kind. */
  readonly isAny: boolean;
  /** A row as it may be published: the same where it says nothing of the kind, null where none of it may. */
  rowOf(row: Row): Row | null;
}

/** Texts remembered: months of visits have a few versions. */
const MOST_REMEMBERED = 10_000;

/**
 * @param withheld domains of which nothing may be published.
 * @param optedOut those of them that opted out: with what their opt-outs cover, and in what others say as well.
 */
export function createWithheldNames(withheld: ReadonlySet<string>, optedOut: ReadonlySet<string>): WithheldNames {
  const isCovered = createCoverage(optedOut);
  const isWithheld = (domain: unknown) => typeof domain === 'string' && (withheld.has(domain) || isCovered(domain));
  const remembered = new Map<string, string>();
  const told = (value: unknown): unknown => {
    if (typeof value !== 'string' || optedOut.size === 0) return value;
    const known = remembered.get(value);
    if (known !== undefined) return known;
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    const text = withholdNamesInText(value, (names) => names.filter(isCovered));
    remembered.set(value, text);
    return text;
  };
  return {
    isAny: withheld.size > 0,
    rowOf(row) {
      if (isWithheld(row.domain)) return null;
      const { aliasOf, software, version } = row;
      const changed: Record<string, unknown> = {};
      if (isWithheld(aliasOf)) changed.aliasOf = null;
      if (told(software) !== software) changed.software = told(software);
      if (told(version) !== version) changed.version = told(version);
      return Object.keys(changed).length === 0 ? row : { ...row, ...changed };
    },
  };
}
