import { html } from 'ghtml';
import { shareBar } from './share-bar.ts';

/** One row of a list of bars. */
export interface BarRow {
  readonly label: string;
  /** The value as text. */
  readonly text: string;
  readonly value: number;
  /** A class of the style sheet. */
  readonly kind?: string;
  /** The path of the same value in the API, with which tests compare it. */
  readonly stat?: string;
}

/** Values as bars on one scale, with their labels and numbers as text. @param whole the value of a full bar. */
export function barList(rows: readonly BarRow[], whole: number): string {
  return html`<ul class="bar-list">!${rows.map(
    ({ label, text, value, kind = 'colour-main', stat }) =>
      html`<li><span>${label}</span><span class="number" !${stat === undefined ? '' : html`data-stat="${stat}"`}>${text}</span>!${shareBar([{ kind, value }], whole)}</li>`,
  )}</ul>`;
}
