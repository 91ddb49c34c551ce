/** Selects elements of a page and one value of each. */
export interface HtmlQuery {
  /** A CSS selector. */
  readonly selector: string;
  /** The attribute to read; null for the text. */
  readonly attribute: string | null;
  /** Whether to select only the first element. */
  readonly first: boolean;
}

/** For each query, the value of each element; or the problem in one phrase. */
export type HtmlSelection =
  | { readonly ok: true; readonly found: readonly (readonly string[])[] }
  | { readonly ok: false; readonly problem: string }
  | { readonly ok: false; readonly badSelector: string };

export interface HtmlLimits {
  readonly signal: AbortSignal;
  /** Time limit in milliseconds. */
  readonly withinMs: number;
}

/**
 * Selects elements of a page on another thread, to which the bytes are transferred.
 *
 * @throws the reason of the signal when it aborts.
 */
export type SelectHtml = (
  html: Uint8Array<ArrayBuffer>,
  queries: readonly HtmlQuery[],
  limits: HtmlLimits,
) => Promise<HtmlSelection>;
