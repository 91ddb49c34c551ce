/** What a path or an address led to, with what tells later whether it changed (RFC 9110, section 8.8). */
export interface FoundText {
  readonly text: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
}
