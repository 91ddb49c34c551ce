import { html } from 'ghtml';
import type { InstanceView } from '../../directory/instance/instance-view.ts';
import { dayOfIso, nextPeriod } from '../../directory/periods.ts';
import type { Timeline, TimelineCounts } from '../../directory/schema/timeline.ts';
import { DAY_MS } from '../../model/time.ts';
import { axisText } from '../charts/axis-text.ts';
import { type LinePoint, lineChart } from '../charts/line-chart.ts';
import type { Site, Words } from '../site.ts';

const CHARTED = ['users', 'posts'] as const;
const TABLED = ['users', 'activeMonth', 'posts'] as const;

/** Charts of users, posts and response time, with their numbers as a table. */
export function historySection({ entry, timeline }: InstanceView, { words, links, mode }: Site): string {
  const { history: text } = words.instance;
  const counts = CHARTED.map((key) => countChart(key, timeline, words));
  const charts = [...counts, responseChart(timeline, words)].filter((chart) => chart !== '');
  return html`<section class="panel" aria-labelledby="history">
<h2 id="history">${text.title}</h2>
!${charts.length === 0 ? html`<p class="soft">${text.none}</p>` : html`<div class="charts">!${charts}</div>`}
!${timeline.counts.length === 0 ? '' : countsTable(timeline, words)}
!${mode === 'live' ? html`<p class="more"><a href="${links.file(`api/v1/instances/${entry.domain}/timeline`)}">${text.allNumbers}</a></p>` : ''}
</section>`;
}

function countChart(key: (typeof CHARTED)[number], { counts, step }: Timeline, words: Words): string {
  const { history: text } = words.instance;
  const { format } = words;
  const known = counts.filter((count) => count[key] !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return '';
  const points = counts.map((count): LinePoint => {
    const from = Date.parse(count.from);
    const date = periodText(from, step, words);
    const value = count[key];
    const label =
      value === null ? text.pointUnknown(date) : text.point(date, format.number(value), text[key].toLowerCase());
    return { from, until: nextPeriod(dayOfIso(count.from), step) * DAY_MS, value, label };
  });
  const description = text.countsText(
    text[key],
    ...([format.number(first[key] ?? 0), format.date(first.from)] as const),
    ...([format.number(last[key] ?? 0), format.date(last.from)] as const),
  );
  return figure(
    text[key],
    format.number(last[key] ?? 0),
    lineChart({ id: `chart-${key}`, title: text[key], description, points, text: axisText(format) }),
  );
}

function periodText(from: number, step: Timeline['step'], { instance, format }: Words): string {
  if (step === 'month') return format.month(from);
  return step === 'day' ? format.date(from) : instance.history.week(format.date(from));
}

function responseChart({ days }: Timeline, words: Words): string {
  const { history: text } = words.instance;
  const { format } = words;
  const known = days.map(({ responseMs }) => responseMs).filter((ms) => ms !== null);
  if (known.length === 0) return '';
  const points = days.map(({ day, responseMs }): LinePoint => {
    const from = Date.parse(day);
    const date = format.date(from);
    const label =
      responseMs === null ? text.pointUnknown(date) : text.point(date, text.ms(format.number(responseMs)), '').trim();
    return { from, until: from + DAY_MS, value: responseMs, label };
  });
  const ms = (value: number) => text.ms(format.number(value));
  const description = text.responseText(ms(Math.min(...known)), ms(Math.max(...known)));
  const chart = lineChart({ id: 'chart-response', title: text.response, description, points, text: axisText(format) });
  return figure(text.response, ms(known.at(-1) ?? 0), chart, text.responseNote);
}

function figure(title: string, value: string, chart: string, note = ''): string {
  return html`<figure class="chart"><figcaption><h3>${title}</h3><span class="latest number">${value}</span></figcaption>
!${chart}!${note === '' ? '' : html`<p class="soft">${note}</p>`}</figure>
`;
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
