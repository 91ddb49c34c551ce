import { html } from 'ghtml';

/** One part of a whole. */
export interface SharePart {
  /** A class of the style sheet, such as `colour-yes`. */
  readonly kind: string;
  readonly value: number;
}

const HEIGHT = 10;

/** The parts of a whole as one bar. It repeats numbers in the text beside it, so it is hidden from screen readers. */
export function shareBar(parts: readonly SharePart[], whole: number): string {
  let x = 0;
  const rects = parts.map(({ kind, value }) => {
    const width = whole === 0 ? 0 : (value / whole) * 100;
    const rect = html`<rect class="${kind}" x="${percent(x)}" width="${percent(width)}" height="${HEIGHT}"/>`;
    x += width;
    return value === 0 ? '' : rect;
  });
  return html`<svg class="share-bar" width="100%" height="${HEIGHT}" aria-hidden="true" focusable="false"><rect class="part-rest" width="100%" height="${HEIGHT}"/>!${rects}</svg>`;
}

function percent(value: number): string {
  return `${Math.round(value * 100) / 100}%`;
}
