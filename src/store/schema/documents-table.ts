import type { Generated } from 'kysely';

/** Every document ever received, kept once, as it came but for the names of those who have opted out. */
export interface DocumentsTable {
  id: Generated<number>;
  /** Of the document as it is kept, 32 bytes. */
  sha256: Uint8Array;
  /** Length of that. */
  bytes: number;
  /** 1 when `body` is deflated (zlib format, RFC 1950), 0 when it is that. */
  deflated: number;
  body: Uint8Array;
}
