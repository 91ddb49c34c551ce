import { html } from 'ghtml';
import type { InstanceView } from '../../directory/instance/instance-view.ts';
import { dayOfIso, nextPeriod } from '../../directory/periods.ts';
import type { Timeline, TimelineCounts } from '../../directory/schema/timeline.ts';
import { DAY_MS } from '../../model/time.ts';
import { axisText } from '../charts/axis-text.ts';
import { chartFigure, describedValues, rangeButtons } from '../charts/chart-figure.ts';
import { type LinePoint, lineChart } from '../charts/line-chart.ts';
import type { Site, Words } from '../site.ts';

const CHARTED = ['users', 'posts'] as const;
const TABLED = ['users', 'activeMonth', 'posts'] as const;

/** Charts of users, posts and response time, with their numbers as a table. */
export function historySection({ entry, timeline }: InstanceView, site: Site): string {
  const { words, links, mode } = site;
  const { history: text } = words.instance;
  const csv = `instances/${entry.domain}/timeline.csv`;
  const charts = [...CHARTED.map((key) => countChart(key, timeline, csv, site)), responseChart(timeline, csv, site)];
  const [first, last] = [timeline.counts[0], timeline.days.at(-1)];
  const ranges =
    first === undefined || last === undefined ? '' : rangeButtons(Date.parse(first.from), Date.parse(last.day), site);
  return html`<section class="panel" aria-labelledby="history">
<h2 id="history">${text.title}</h2>
!${ranges}
<div class="charts">!${charts}</div>
!${timeline.counts.length === 0 ? '' : countsTable(timeline, words)}
!${mode === 'live' ? html`<p class="more"><a href="${links.file(`api/v1/instances/${entry.domain}/timeline`)}">${text.allNumbers}</a></p>` : ''}
</section>`;
}

function countChart(key: (typeof CHARTED)[number], { counts, step, days }: Timeline, csv: string, site: Site): string {
  const { history: text } = site.words.instance;
  const { format } = site.words;
  const today = Date.parse(days.at(-1)?.day ?? '');
  const title = text[key];
  const points = counts.map((count): LinePoint => {
    const from = Date.parse(count.from);
    const date = periodText(from, step, site.words);
    const value = count[key];
    const label =
      value === null ? text.pointUnknown(date) : text.point(date, format.number(value), title.toLowerCase());
    // The last period is not over.
    return { from, until: Math.min(nextPeriod(dayOfIso(count.from), step) * DAY_MS, today + DAY_MS), value, label };
  });
  return valueChart({ id: key, title, points, valueText: format.number, none: text.none, csv }, site);
}

function periodText(from: number, step: Timeline['step'], { instance, format }: Words): string {
  if (step === 'month') return format.month(from);
  return step === 'day' ? format.date(from) : instance.history.week(format.date(from));
}

function responseChart({ days }: Timeline, csv: string, site: Site): string {
  const { history: text } = site.words.instance;
  const { format } = site.words;
  const title = text.response;
  const ms = (value: number) => text.ms(format.number(value));
  const answered = days.slice(days.findIndex(({ responseMs }) => responseMs !== null));
  const points = answered.map(({ day, responseMs: value }): LinePoint => {
    const from = Date.parse(day);
    const date = format.date(from);
    const label = value === null ? text.pointUnknown(date) : text.point(date, ms(value), '').trim();
    return { from, until: from + DAY_MS, value, label };
  });
  const unit = text.ms('');
  const texts = { none: text.noAnswer, note: text.responseNote };
  return valueChart({ id: 'response', title, points, valueText: ms, unit, csv, ...texts }, site);
}

interface ValueChart extends Pick<Parameters<typeof chartFigure>[0], 'title' | 'none' | 'note' | 'csv'> {
  readonly id: string;
  readonly points: readonly LinePoint[];
  readonly valueText: (value: number) => string;
  readonly unit?: string;
}

function valueChart({ id, title, points, valueText, unit, ...texts }: ValueChart, site: Site): string {
  const last = points.findLast(({ value }) => value !== null)?.value ?? null;
  // A period has the last value read in it.
  const described = points.map(({ until, value }) => ({ at: until - DAY_MS, value }));
  const description = describedValues(title, described, valueText, site);
  const chart = lineChart({ id: `chart-${id}`, title, description, points, text: axisText(site.words.format), unit });
  return chartFigure({ title, latest: last === null ? '' : valueText(last), chart, ...texts }, site);
}

function countsTable({ counts, step }: Timeline, words: Words): string {
  const { history: text, figures, facts } = words.instance;
  const { format } = words;
  const heads = { users: text.users, activeMonth: figures.activeMonth, posts: text.posts };
  const lastByPeriod = new Map<string, TimelineCounts>();
  for (const count of counts) {
    const period = step === 'day' ? count.from : count.from.slice(0, 7);
    // Unknown counts do not replace known ones of the same month.
    if (TABLED.some((key) => count[key] !== null) || !lastByPeriod.has(period)) lastByPeriod.set(period, count);
  }
  const rows = [...lastByPeriod.values()]
    .reverse()
    .map(
      (count) =>
        html`<tr><th scope="row">${format.date(count.from)}</th>!${TABLED.map((key) => html`<td>${count[key] === null ? facts.unknown : format.number(count[key])}</td>`)}</tr>`,
    );
  return html`<details><summary>${text.table}</summary><div class="scroll" tabindex="0" role="region" aria-label="${text.table}"><table class="numbers">
<caption>${step === 'day' ? text.tableDays : text.tableMonths}</caption>
<thead><tr><th scope="col">${text.from}</th>!${TABLED.map((key) => html`<th scope="col">${heads[key]}</th>`)}</tr></thead>
<tbody>!${rows.join('\n')}</tbody></table></div></details>
`;
}
