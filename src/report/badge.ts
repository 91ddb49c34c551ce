import { calcWidth } from 'badgen';
import { html as svg } from 'ghtml';

/** The text of a badge; never contains text from the subject. */
export interface BadgeView {
  label: string;
  message: string;
  color: keyof typeof COLORS;
}

const COLORS = { brightgreen: '#4b0', yellow: '#d8b800', red: '#dd4343', lightgrey: '#939393' };
const LABEL_COLOR = '#555';
/** Space on each side of a text, in pixels. */
const PADDING = 5;
/** The height of the drawing, in pixels. */
const HEIGHT = 20;

/** What a badge can look like: how tall it is, in pixels, and the radius of its corners and the opacity of its shade in the drawing. */
export const BADGE_STYLES = {
  flat: { height: 20, radius: 3, shade: 0.1 },
  square: { height: 20, radius: 0, shade: 0 },
  large: { height: 32, radius: 4, shade: 0 },
} as const;
export type BadgeStyle = keyof typeof BADGE_STYLES;

/** A report as a badge in a style of shields.io: an SVG image that needs no other service. */
export function reportBadge({ badge }: { badge: BadgeView }, style: BadgeStyle = 'flat'): string {
  const { label, message, color } = badge;
  const { height, radius, shade } = BADGE_STYLES[style];
  const [labelWidth, messageWidth] = [widthOf(label), widthOf(message)];
  const width = labelWidth + messageWidth;
  return svg`<svg xmlns="http://www.w3.org/2000/svg" width="${(width * height) / HEIGHT}" height="${height}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${label}: ${message}">
<title>${label}: ${message}</title>
<linearGradient id="s" x2="0" y2="100%"><stop offset="0" stop-color="#bbb" stop-opacity="${shade}"/><stop offset="1" stop-opacity="${shade}"/></linearGradient>
<clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="${radius}"/></clipPath>
<g clip-path="url(#r)"><rect width="${labelWidth}" height="${HEIGHT}" fill="${LABEL_COLOR}"/><rect x="${labelWidth}" width="${messageWidth}" height="${HEIGHT}" fill="${COLORS[color]}"/><rect width="${width}" height="${HEIGHT}" fill="url(#s)"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">
!${shadowed(label, labelWidth / 2, labelWidth)}
!${shadowed(message, labelWidth + messageWidth / 2, messageWidth)}
</g>
</svg>
`;
}

/** Width of a part of the badge, in pixels; `calcWidth` counts in tenths of a pixel. */
function widthOf(text: string): number {
  return Math.round(calcWidth(text) / 10) + 2 * PADDING;
}

/** A text with its shadow. `textLength` makes any substitute font as wide as Verdana. */
function shadowed(text: string, middle: number, width: number): string {
  const each = (y: number, attributes: string) =>
    svg`<text x="${middle}" y="${y}" textLength="${width - 2 * PADDING}"!${attributes}>${text}</text>`;
  return each(15, ' fill="#010101" fill-opacity=".5" aria-hidden="true"') + each(14, '');
}

/** A report as JSON from which shields.io makes a badge (https://shields.io/badges/endpoint-badge). */
export function badgeEndpoint({ badge: { label, message, color } }: { badge: BadgeView }): string {
  return `${JSON.stringify({ schemaVersion: 1, label, message, color, isError: color === 'red' })}\n`;
}
