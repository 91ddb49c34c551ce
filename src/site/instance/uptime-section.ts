import { html } from 'ghtml';
import type { InstanceView } from '../../directory/instance/instance-view.ts';
import type { TimelineDay } from '../../directory/schema/timeline.ts';
import { REASONS } from '../../model/reason.ts';
import type { Site, Words } from '../site.ts';

const WINDOWS = ['day', 'week', 'month'] as const;

/** One bar per day, and the uptime of three periods with the part of each that was observed. */
export function uptimeSection({ entry, timeline }: InstanceView, { words }: Site): string {
  const { uptime: text } = words.instance;
  const { format, frame } = words;
  const days = knownDays(timeline.days);
  const count = (holds: (day: TimelineDay) => boolean) => format.number(days.filter(holds).length);
  const share = (value: number | null) => (value === null ? frame.unknown : format.percent(value));
  return html`<section class="panel" aria-labelledby="uptime">
<h2 id="uptime">${text.title}</h2>
!${dayBars({
    id: 'days',
    title: text.chart(entry.domain, format.number(days.length)),
    description: text.text(
      count((day) => day.share === 1),
      count((day) => day.share !== null && day.share < 1),
      count((day) => day.share === null),
    ),
    days: days.map((day) => ({ share: day.share, hasFailure: day.failed > 0, label: dayLabel(day, words) })),
  })}
<div class="bar-ends soft"><span>${days.length < timeline.days.length ? format.date(days[0]?.day ?? '') : text.from}</span><output aria-label="${words.charts.pointed}"></output><span>${text.today}</span></div>
<ul class="legend"><li><i class="key day-up"></i>${text.legend.up}</li><li><i class="key day-down"></i>${text.legend.down}</li><li><i class="key day-unknown"></i>${text.legend.unknown}</li></ul>
<dl class="figures">!${WINDOWS.map(
    (window) =>
      html`<div><dt>${text.windows[window]} <small>${text.coverage(format.percent(entry.uptime.coverage[window]))}</small></dt><dd data-fact="uptime.${window}">${share(entry.uptime[window])}</dd></div>`,
  )}</dl>
<p class="soft">${text.note}</p>
</section>`;
}

/** Days before the first visit are left out, as long as a month remains. */
const LEAST_DAYS = 30;

function knownDays(days: readonly TimelineDay[]): readonly TimelineDay[] {
  const first = days.findIndex(({ visits }) => visits > 0);
  return days.slice(first === -1 ? -LEAST_DAYS : Math.max(0, Math.min(first, days.length - LEAST_DAYS)));
}

/** `12 Mar 2026: up 75%. 1 of 4 visits failed, last: nothing listens at the address` */
function dayLabel({ day, share, visits, failed, reason }: TimelineDay, { instance, format }: Words): string {
  const { uptime: text } = instance;
  const date = format.date(day);
  const head = share === null ? text.dayUnknown(date) : text.day(date, format.percent(share));
  if (failed === 0 || reason === null) return head;
  return `${head}. ${text.failures(format.number(failed), format.number(visits), REASONS[reason].means)}`;
}

/** One day of a chart of uptime. */
interface DayBar {
  /** Share of the observed time that the host was up, 0 to 1; null when too little was observed. */
  readonly share: number | null;
  /** Whether a visit failed. */
  readonly hasFailure: boolean;
  /** Shown when the pointer rests on the bar: `12 Mar 2026: up 75%`. */
  readonly label: string;
}

interface DayBars {
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
