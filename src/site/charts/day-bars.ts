import { html } from 'ghtml';

/** One day of a chart of uptime. */
export interface DayBar {
  /** Share of the observed time that the host was up, 0 to 1; null when too little was observed. */
  readonly share: number | null;
  /** Whether a visit failed. */
  readonly hasFailure: boolean;
  /** Shown when the pointer rests on the bar: `12 Mar 2026: up 75%`. */
  readonly label: string;
}

export interface DayBars {
  /** Unique on its page. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Oldest first. */
  readonly days: readonly DayBar[];
}

const HEIGHT = 48;
/** Height of the mark for a day of which too little is known. */
const UNKNOWN_HEIGHT = 6;
/** Minimum height of the upper part on a day with any time down. */
const MIN_DOWN = 8;
/** Width of a day in the drawing, which is stretched to the page; the style sheet makes the bar of the day a little narrower. */
const DAY_WIDTH = 10;

/** One bar per day: the lower part is the time up, the upper part the time down. A day that was hardly observed is a low bar. */
export function dayBars({ id, title, description, days }: DayBars): string {
  return html`<svg class="day-bars" width="100%" height="${HEIGHT}" viewBox="0 0 ${days.length * DAY_WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">${title}</title><desc id="${id}-text">${description}</desc>
!${days.map((day, index) => dayBar(day, (index + 0.5) * DAY_WIDTH)).join('\n')}
</svg>
`;
}

function dayBar({ share, hasFailure, label }: DayBar, x: number): string {
  const bar = (kind: string, top: number, bottom: number) => html`<path class="${kind}" d="M${x},${top}V${bottom}"/>`;
  const parts: string[] = [];
  if (share === null) parts.push(bar(hasFailure ? 'day-down' : 'day-unknown', HEIGHT - UNKNOWN_HEIGHT, HEIGHT));
  else {
    const downHeight = share === 1 ? 0 : Math.max(MIN_DOWN, Math.round(HEIGHT * (1 - share)));
    if (downHeight < HEIGHT) parts.push(bar('day-up', downHeight, HEIGHT));
    if (downHeight > 0) parts.push(bar('day-down', 0, Math.max(1, downHeight - 1)));
  }
  return html`<g><title>${label}</title>!${parts}</g>`;
}
