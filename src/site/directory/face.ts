import { html } from 'ghtml';
import { hashOf } from '../../directory/browse/fair-order.ts';

const SIDE = 5;
/** The style sheet has `hue-0` to `hue-11`. */
const HUES = 12;

/** A number below 2^15 * 12 by which a domain is drawn: a bit for each of 15 squares, and a hue. */
export function faceOf(domain: string): number {
  return hashOf(domain, 0) % (2 ** 15 * HUES);
}

/** A drawing by which a server is recognised, made from its domain alone: five by five squares, the right half a mirror of the left. */
export function face(domain: string): string {
  const number = faceOf(domain);
  const squares: string[] = [];
  for (let bit = 0; bit < 15; bit++) {
    if (((number >> bit) & 1) === 0) continue;
    const [x, y] = [Math.floor(bit / SIDE), bit % SIDE];
    for (const column of new Set([x, SIDE - 1 - x])) squares.push(`M${column},${y}h1v1h-1z`);
  }
  return html`<svg class="face hue-${number >> 15}" viewBox="-1 -1 7 7" aria-hidden="true"><path d="${squares.join('')}"/></svg>`;
}
