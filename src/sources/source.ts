import type { Domain } from '../domain/domain.ts';
import type { DomainRefusal } from '../domain/domain-refusal.ts';

/** Somewhere that candidate domains come from. */
export interface Source {
  /** The kind, as `type` in the settings: `file`. */
  readonly type: string;
  /** Which one of its kind, for people: the path, the URL. */
  readonly label: string;
  /**
   * Every line or entry in order, one item each, so that nothing read goes uncounted. Each call reads anew.
   * @throws SourceError when the source as a whole cannot be read
   */
  read(signal?: AbortSignal): AsyncIterable<SourceItem>;
}

/** `bad-record`: the line or entry does not have the form of its format, so there is no text to read a domain from. */
export type SourceRefusal = DomainRefusal | 'bad-record';

/**
 * What one line (text), record (CSV) or entry (JSON) holds. `line` counts from 1: the line of the file where it starts,
 * in JSON the place in the list. `blank` is one that is empty, a comment or a header.
 */
export type SourceItem =
  | { readonly kind: 'domain'; readonly line: number; readonly domain: Domain }
  | { readonly kind: 'blank'; readonly line: number }
  | RefusedItem;

export interface RefusedItem {
  readonly kind: 'refused';
  readonly line: number;
  /** What was written, made fit to show: at most 200 characters, no control characters. */
  readonly text: string;
  readonly reason: SourceRefusal;
  readonly detail: string;
}
