/** Red, green and blue, from 0 to 255. */
type Colour = readonly [number, number, number];

/** The contrast of normal text, WCAG 2.2 level AA. */
const MIN_CONTRAST = 4.5;
const BLACK: Colour = [0, 0, 0];
const WHITE: Colour = [255, 255, 255];

/**
 * The style rules of an accent colour: the colour itself where its contrast suffices on every background that it is written on, otherwise the
 * nearest darker shade for light pages and lighter one for dark pages.
 *
 * @param base the style sheet whose rules these override; its backgrounds are read from it, first those of light pages, then of dark ones.
 */
export function accentStyle(accent: string, base: Buffer): string {
  const css = base.toString();
  const backgrounds = (scheme: 0 | 1) =>
    ['page', 'surface', 'raised'].map((name) =>
      parse([...css.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6})`, 'g'))][scheme]?.[1] ?? ''),
    );
  const light = rules(parse(accent), backgrounds(0), BLACK, WHITE);
  const dark = rules(parse(accent), backgrounds(1), WHITE, BLACK);
  return `:root {${light}}
@media screen and (prefers-color-scheme: dark) {
  :root {${dark}}
}
`;
}

function rules(accent: Colour, backgrounds: readonly Colour[], towards: Colour, on: Colour): string {
  const [, surface] = backgrounds;
  if (surface === undefined) throw new Error('the style sheet has no backgrounds');
  for (let step = 0; ; step += 1) {
    const shade = mix(accent, towards, step / 100);
    const soft = mix(surface, shade, 0.12);
    const isReadable = [...backgrounds, soft, on].every((background) => contrast(shade, background) >= MIN_CONTRAST);
    if (isReadable) return ` --accent: ${hex(shade)}; --accent-soft: ${hex(soft)}; --on-accent: ${hex(on)}; `;
  }
}

function parse(text: string): Colour {
  return [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)) as unknown as Colour;
}

function hex(colour: Colour): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function mix(from: Colour, to: Colour, share: number): Colour {
  return from.map((part, index) => Math.round(part + ((to[index] ?? 0) - part) * share)) as unknown as Colour;
}

/** The contrast ratio of WCAG 2.2, from 1 to 21. */
function contrast(one: Colour, other: Colour): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
