/** Which elements of a page, and what of them. */
export interface HtmlQuery {
  /** A CSS selector. */
  readonly selector: string;
  /** The attribute; null: the text. */
  readonly attribute: string | null;
  /** Of the first such element alone. */
  readonly first: boolean;
}

/** For each query a line of JSON for each of its elements, packed for {@link packedTexts}; or why there is nothing, in one phrase. */
export type HtmlSelection =
  | { readonly ok: true; readonly found: readonly Uint8Array[] }
  | { readonly ok: false; readonly problem: string }
  | { readonly ok: false; readonly badSelector: string };

export interface HtmlLimits {
  readonly signal: AbortSignal;
  /** When it takes longer, there is nothing. In milliseconds. */
  readonly withinMs: number;
}

/**
 * Finds elements of a page without holding up whoever waits: away from this thread, where pages are large. The bytes are given away.
 *
 * @throws the reason of the signal, when that aborts.
 */
export type SelectHtml = (
  html: Uint8Array<ArrayBuffer>,
  queries: readonly HtmlQuery[],
  limits: HtmlLimits,
) => Promise<HtmlSelection>;

const NEWLINE = 10;

/** The texts of a query, each unpacked when it is asked for: a page may have a million. */
export function* packedTexts(packed: Uint8Array): Generator<string> {
  const decoder = new TextDecoder();
  for (let start = 0; start < packed.length; ) {
    const end = packed.indexOf(NEWLINE, start);
    yield JSON.parse(decoder.decode(packed.subarray(start, end)));
    start = end + 1;
  }
}
