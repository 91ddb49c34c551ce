import type { Generated } from 'kysely';

/** Every document ever received, kept once. */
export interface DocumentsTable {
  id: Generated<number>;
  /** Of the document as received, 32 bytes. */
  sha256: Uint8Array;
  /** Length as received. */
  bytes: number;
  /** 1 when `body` is deflated (zlib format, RFC 1950), 0 when it is as received. */
  deflated: number;
  body: Uint8Array;
}
