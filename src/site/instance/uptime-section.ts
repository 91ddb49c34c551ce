import { html } from 'ghtml';
import type { InstanceView } from '../../directory/instance/instance-view.ts';
import type { TimelineDay } from '../../directory/schema/timeline.ts';
import { REASONS } from '../../model/reason.ts';
import { dayBars } from '../charts/day-bars.ts';
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
