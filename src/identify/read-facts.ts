import { type FactLeaf, nestFacts, REPORTED_LEAVES, type ReportedFacts } from '../record/facts/fact-leaves.ts';
import type { FactValue } from '../record/facts/fact-value.ts';
import type { FieldReader } from './field-reader.ts';

type Document = 'config' | 'nodeinfo';
type ReadLeaf = (fields: FieldReader) => FactValue;

const READERS: Readonly<Record<Document, ReadonlyMap<FactLeaf, ReadLeaf>>> = {
  config: readersOf('config'),
  nodeinfo: readersOf('nodeinfo'),
};

/** Reads the facts of a document field by field, from their paths in the table. */
export function readFacts(fields: FieldReader, document: Document): ReportedFacts {
  const readers = READERS[document];
  return nestFacts(REPORTED_LEAVES, (leaf) => readers.get(leaf)?.(fields) ?? null) as ReportedFacts;
}

function readersOf(document: Document): Map<FactLeaf, ReadLeaf> {
  return new Map(REPORTED_LEAVES.map((leaf) => [leaf, readerOf(leaf, document)]));
}

/** Reads the first valid value of a fact that goes by several names; all are read, so that each of the wrong type is noted. */
function readerOf({ meta }: FactLeaf, document: Document): ReadLeaf {
  const { type, maxLength, brands } = meta;
  if (type === undefined) return () => null;
  const names = (meta[document] ?? []).map((path) => ({ keys: path.split('.'), brand: brands?.[path] ?? null }));
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
