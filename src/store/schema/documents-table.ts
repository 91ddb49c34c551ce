import type { Generated } from 'kysely';

/** Every document ever received, kept once, as it came. */
export interface DocumentsTable {
  id: Generated<number>;
  /** 32 bytes. */
  sha256: Uint8Array;
  /** Length of the document. */
  bytes: number;
  /** 1 when `body` is deflated (zlib format, RFC 1950), 0 when it is that. */
  deflated: number;
  /** Null when it is withheld. */
  body: Uint8Array | null;
  /** Why the body is not kept: it names a host that has opted out. Null when it is. */
  withheld: 'opted-out' | null;
}
