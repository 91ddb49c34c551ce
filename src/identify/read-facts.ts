import { type FactLeaf, nestFacts, REPORTED_LEAVES, type ReportedFacts } from '../record/facts/fact-leaves.ts';
import type { FactValue } from '../record/facts/fact-value.ts';
import type { FieldReader } from './field-reader.ts';

type Document = 'config' | 'nodeinfo';
type ReadLeaf = (fields: FieldReader) => FactValue;

/** In the order of the facts; null for those that a document has no field for. */
const READERS: Readonly<Record<Document, readonly (ReadLeaf | null)[]>> = {
  config: REPORTED_LEAVES.map((leaf) => readerOf(leaf, 'config')),
  nodeinfo: REPORTED_LEAVES.map((leaf) => readerOf(leaf, 'nodeinfo')),
};

/** Reads the facts of a document field by field, from their paths in the table. */
export function readFacts(fields: FieldReader, document: Document): ReportedFacts {
  const readers = READERS[document];
  return nestFacts(REPORTED_LEAVES, (_leaf, index) => readers[index]?.(fields) ?? null) as ReportedFacts;
}

/** Reads the first valid value of a fact that goes by several names; all are read, so that each of the wrong type is noted. */
function readerOf({ meta }: FactLeaf, document: Document): ReadLeaf | null {
  const { type, maxLength, brands, [document]: paths } = meta;
  if (type === undefined || paths === undefined) return null;
  const names = paths.map((path) => ({ keys: path.split('.'), brand: brands?.[path] ?? null }));
  return (fields) => {
    let isFound = false;
    let fact: FactValue = null;
    for (const { keys, brand } of names) {
      const value = fields.read(keys, type, maxLength);
      if (isFound || value === null) continue;
      isFound = true;
      fact = brands === undefined ? value : brand;
    }
    return fact;
  };
}
