import { hash } from 'node:crypto';
import type { Parsers } from '../identify/documents.ts';
import { reread } from '../identify/reread.ts';
import type { Conclusion } from '../identify/resolve-verdict.ts';
import { redactNames } from '../model/opt-outs/redact-names.ts';
import type { DocumentKind } from '../model/visit.ts';
import { StoreError } from '../store/sqlite/store-error.ts';
import type { StoredVisit, StoreReader } from '../store/store-reader.ts';

/** A document that was kept and cannot be read any more. */
export interface DamagedDocument {
  document: DocumentKind;
  problem: 'missing' | 'does not inflate' | 'does not match its hash';
}

export type ReadAgain =
  /** What today's parsers make of the documents. */
  | { kind: 'concluded'; conclusion: Conclusion }
  /** The visit rests on something else than documents, or has none. */
  | { kind: 'stands' }
  | { kind: 'would-ask-elsewhere' }
  /** A document of the visit named a host that has opted out, and its body is not kept: what was decided stands. */
  | { kind: 'withheld' }
  | ({ kind: 'damaged' } & DamagedDocument);

export interface ReadAgainOptions {
  softwareId: string;
  allowSuffixes: readonly string[];
  parsers: Parsers;
}

/** Makes what reads stored visits with these parsers. */
export function createReadAgain(
  reader: Pick<StoreReader, 'document' | 'optedOut'>,
  options: ReadAgainOptions,
): (visit: StoredVisit) => ReadAgain {
  return (visit) => {
    const documents: Partial<Record<DocumentKind, Uint8Array>> = {};
    for (const [document, id] of Object.entries(visit.documents) as [DocumentKind, number][]) {
      const body = bodyOf(reader, id);
      if (body === null) return { kind: 'withheld' };
      if (typeof body === 'string') return { kind: 'damaged', document, problem: body };
      documents[document] = body;
    }
    const { domain, at } = visit;
    const result = reread({ ...options, domain, at, documents, recorded: visit });
    if (result === null) return { kind: 'stands' };
    return result === 'would-ask-elsewhere'
      ? { kind: result }
      : { kind: 'concluded', conclusion: redactNames(result, reader.optedOut) };
  };
}

/** The document, null when it is withheld, or what is wrong with it; a database that cannot be read is thrown. */
function bodyOf(reader: Pick<StoreReader, 'document'>, id: number): Uint8Array | null | DamagedDocument['problem'] {
  try {
    const document = reader.document(id);
    if (document === null) return 'missing';
    if (document.body === null) return null;
    return hash('sha256', document.body) === document.sha256 ? document.body : 'does not match its hash';
  } catch (error) {
    if (isInflation(error) || (error instanceof StoreError && isInflation(error.cause))) return 'does not inflate';
    throw error;
  }
}

/** Whether zlib gave up: on the data, or on their being longer than they were. */
function isInflation(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ERR_BUFFER_TOO_LARGE' || String(error.code).startsWith('Z_');
}
