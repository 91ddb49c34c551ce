import { hash } from 'node:crypto';
import type { Parsers } from '../identify/documents.ts';
import { reread } from '../identify/reread.ts';
import type { Conclusion } from '../identify/resolve-verdict.ts';
import { redactNames } from '../model/opt-outs/redact-names.ts';
import type { DocumentKind } from '../model/visit.ts';
import { StoreError } from '../store/sqlite/store-error.ts';
import type { StoredVisit, StoreReader } from '../store/store-reader.ts';

/** A stored document that cannot be read. */
export interface DamagedDocument {
  document: DocumentKind;
  problem: 'missing' | 'does not inflate' | 'does not match its hash';
}

export type ReparseResult =
  /** The result of today's parsers. */
  | { kind: 'concluded'; conclusion: Conclusion }
  /** The recorded result stands: the visit has no documents, or its result does not depend on them. */
  | { kind: 'stands' }
  /** Today's parsers would request another URL, so the result is unknown. */
  | { kind: 'needs-another-request' }
  /** A document named an opted-out host, so its body is not stored; the recorded result stands. */
  | { kind: 'withheld' }
  | ({ kind: 'damaged' } & DamagedDocument);

export interface ReparseOptions {
  softwareId: string;
  allowSuffixes: readonly string[];
  parsers: Parsers;
}

/** Creates the function that parses the documents of a stored visit again. */
export function createReparse(
  reader: Pick<StoreReader, 'document' | 'optedOut'>,
  options: ReparseOptions,
): (visit: StoredVisit) => ReparseResult {
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
    return result === 'needs-another-request'
      ? { kind: result }
      : { kind: 'concluded', conclusion: redactNames(result, reader.optedOut) };
  };
}

/** The body of a document; null when it is not stored because of an opt-out; a problem when it is damaged. @throws {StoreError} */
function bodyOf(reader: Pick<StoreReader, 'document'>, id: number): Uint8Array | null | DamagedDocument['problem'] {
  try {
    const document = reader.document(id);
    if (document === null) return 'missing';
    if (document.body === null) return null;
    return hash('sha256', document.body) === document.sha256 ? document.body : 'does not match its hash';
  } catch (error) {
    if (isInflateError(error) || (error instanceof StoreError && isInflateError(error.cause)))
      return 'does not inflate';
    throw error;
  }
}

/** Whether zlib failed: invalid data, or more output than the recorded length. */
function isInflateError(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ERR_BUFFER_TOO_LARGE' || String(error.code).startsWith('Z_');
}
