import { html } from 'ghtml';
import type { CrawlerStatus } from '../../directory/crawler-status.ts';
import { type SourceResult, sourceResults } from '../../directory/source-results.ts';
import type { EpochMs } from '../../model/time.ts';
import type { NewestRelease } from '../../store/crawler.ts';
import { barList } from '../charts/bar-list.ts';
import { renderPage } from '../layout.ts';
import { panel } from '../panel.ts';
import type { Site, Words } from '../site.ts';
import type { SitePage } from '../site-page.ts';

export interface CrawlerView {
  readonly at: EpochMs;
  readonly status: CrawlerStatus;
  readonly sources: readonly SourceResult[];
  readonly recordedVisits: number;
  readonly domains: number;
  readonly newest: NewestRelease | null;
  /** Seconds after which the page reloads itself; null: never. */
  readonly refreshSeconds: number | null;
}

const TONES = { ok: 'good', degraded: 'fair', failing: 'bad' } as const;

/** What the crawler does now. */
export function crawlerPage(view: CrawlerView, site: Site): string {
  const { crawler: words, format } = site.words;
  const { status, refreshSeconds } = view;
  const { crawl } = status;
  const offlineSince = crawl?.offlineSince ?? null;
  const content = html`<div class="hero">
!${crawl === undefined ? '' : html`<p class="tags"><span class="tag ${TONES[status.status]}" data-stat="status">${words.status[status.status]}</span></p>`}
<h1>${words.title}</h1>
<p>${phaseWords(status, words)} ${offlineSince === null ? '' : words.offlineSince(format.dateTime(offlineSince))}</p>
</div>
!${problems(status, site)}
!${
    crawl === undefined
      ? ''
      : html`<div class="tiles">
!${backlog(status, site)}
!${visits(status, site)}
!${failures(status, site)}
</div>`
  }
<div class="tiles">
!${crawl === undefined ? '' : publication(view, site)}
!${processFacts(view, site)}
</div>
!${workers(view, site)}
!${sources(view, site)}
<p class="soft">${words.forPrograms} <a href="${site.links.file('health')}">/health</a> · <a href="${site.links.file('metrics')}">/metrics</a>.
!${
    refreshSeconds === null
      ? html`<a href="${site.links.page('/crawler')}">${words.startRefreshing}</a>`
      : html`${words.refreshing(format.number(refreshSeconds))} <a href="${site.links.page('/crawler')}?refresh=off">${words.stopRefreshing}</a>`
  }</p>`;
  return renderPage({ title: words.title, description: words.description, content }, site);
}

function phaseWords({ crawl, backlog }: CrawlerStatus, words: Words['crawler']): string {
  if (crawl === undefined) return words.readOnly;
  const isDone = backlog !== undefined && Object.values(backlog).every(({ due }) => due === 0);
  return crawl.phase === 'idle' && isDone ? words.upToDate : words.phases[crawl.phase];
}

function problems({ problems = [], warnings = [] }: CrawlerStatus, { words: { crawler } }: Site): string {
  const all = [...problems, ...warnings];
  if (all.length === 0) return '';
  return html`<section class="panel alarm" aria-labelledby="problems">
<h2 id="problems">${crawler.problems}</h2>
<ul>!${all.map((problem) => html`<li>${problem}</li>`)}</ul>
</section>`;
}

function backlog({ backlog: due }: CrawlerStatus, { words: { crawler, format } }: Site): string {
  const { backlog: text } = crawler;
  if (due === undefined) return '';
  const rows = (['live', 'new', 'known', 'dead'] as const).map((kind) => {
    const { due: count, lateSeconds } = due[kind];
    const late = lateSeconds === null ? text.none : text.late(format.age(lateSeconds * 1_000));
    return html`<tr><th scope="row">${text.kinds[kind]}</th>
<td class="number" data-stat="backlog.${kind}.due">${format.number(count)}</td><td>${late}</td></tr>`;
  });
  return panel(
    'backlog',
    text.title,
    html`<table><caption>${text.text}</caption>
<thead><tr><th scope="col">${text.columns.kind}</th><th scope="col" class="number">${text.columns.due}</th><th scope="col">${text.columns.late}</th></tr></thead>
<tbody>!${rows}</tbody></table>`,
  );
}

function visits({ visits: counted }: CrawlerStatus, { words }: Site): string {
  const { crawler, domain, format } = words;
  const { visits: text } = crawler;
  if (counted === undefined) return '';
  const rows = (Object.keys(domain.verdicts) as (keyof typeof domain.verdicts)[]).flatMap((verdict) => {
    const value = counted.byVerdict[verdict] ?? 0;
    const stat = `visits.byVerdict.${verdict}`;
    return value === 0 ? [] : [{ label: domain.verdicts[verdict], text: format.number(value), value, stat }];
  });
  const total = rows.reduce((sum, { value }) => sum + value, 0);
  if (total === 0) return panel('visits', text.title, html`<p>${text.none}</p>`);
  return panel(
    'visits',
    text.title,
    html`<p class="large"><span data-stat="visits.total">${text.total(total, format.number(total))}</span></p>
!${barList(rows, total)}`,
  );
}

function failures({ visits: counted }: CrawlerStatus, { words }: Site): string {
  const { failures: text, visits } = words.crawler;
  if (counted?.failureRates === undefined) return '';
  const rows = Object.entries(counted.failureRates)
    .sort(([, one], [, other]) => other - one)
    .map(([name, value]) => ({
      ...{ label: text.classes[name] ?? name, value, kind: 'colour-other' },
      text: text.of(words.format.percent(value)),
      stat: `visits.failureRates.${name}`,
    }));
  if (counted.total === 0) return panel('failures', text.title, html`<p>${visits.none}</p>`);
  return panel('failures', text.title, rows.length === 0 ? html`<p>${text.none}</p>` : barList(rows, 1));
}

function publication({ status, at }: CrawlerView, site: Site): string {
  const { publication: text } = site.words.crawler;
  const { export: exported, compaction } = status;
  const rows: [string, string][] = [
    [text.lastExport, exported === undefined ? text.unknown : ago(exported.lastAt, at, text.none, site)],
    [text.guard, exported?.guard == null ? text.unknown : text.guards[exported.guard]],
    [text.compaction, compaction === undefined ? text.unknown : ago(compaction.lastAt, at, text.none, site)],
  ];
  return panel('publication', text.title, list(rows));
}

function processFacts({ status, at, recordedVisits, domains, newest }: CrawlerView, site: Site): string {
  const { crawler, format } = site.words;
  const { process: text } = crawler;
  const { version, startedAt, memory } = status;
  const rows: [string, string][] = [
    ...(version === undefined ? [] : [[text.version, version] as [string, string]]),
    ...(startedAt === undefined ? [] : [[text.startedAt, ago(startedAt, at, '', site)] as [string, string]]),
    [text.recorded, format.number(recordedVisits)],
    [text.domains, format.number(domains)],
    ...(newest === null
      ? []
      : [[text.newest, `${newest.version} (${text.newestFrom[newest.from]})`] as [string, string]]),
    ...(memory === undefined
      ? []
      : [[text.memory, text.megabytes(format.number(Math.round(memory.rssBytes / 1e6)))] as [string, string]]),
  ];
  return panel('process', text.title, list(rows));
}

function ago(time: string | null, now: number, none: string, { words: { format } }: Site): string {
  return time === null ? none : `${format.dateTime(time)} (${format.ago(time, now)})`;
}

function list(rows: readonly [string, string][]): string {
  return html`<dl class="rows">!${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Empty when there are no workers. */
function workers({ status: { workers: all = [] }, at }: CrawlerView, { words: { crawler, format } }: Site): string {
  if (all.length === 0) return '';
  const { title, text, columns } = crawler.workers;
  const rows = all.map((worker) => {
    const countCell = (field: 'visits' | 'errors') =>
      html`<td class="number" data-stat="workers.${worker.name}.${field}">${format.number(worker[field])}</td>`;
    return html`<tr><th scope="row">${worker.name}</th><td>${worker.version}</td><td>${format.ago(worker.lastSeen, at)}</td>
!${countCell('visits')}!${countCell('errors')}</tr>`;
  });
  return panel(
    'workers',
    title,
    html`<div class="scroll whole" tabindex="0" role="group" aria-labelledby="workers"><table><caption>${text}</caption>
<thead><tr><th scope="col">${columns.name}</th><th scope="col">${columns.version}</th><th scope="col">${columns.lastSeen}</th><th scope="col" class="number">${columns.visits}</th><th scope="col" class="number">${columns.errors}</th></tr></thead>
<tbody>!${rows}</tbody></table></div>`,
  );
}

function sources({ sources: all, at }: CrawlerView, { words: { crawler, format } }: Site): string {
  const { sources: text } = crawler;
  if (all.length === 0) return panel('sources', text.title, html`<p>${text.none}</p>`);
  const rows = all.map(({ type, name, readAt, outcome, added, listed, onlyHere }) => {
    const result = outcome === null ? text.running : text.outcomes[outcome];
    return html`<tr><th scope="row">${name} <span class="soft">${text.types[type] ?? type}</span></th><td>${readAt === null ? text.never : format.ago(readAt, at)}</td><td>${readAt === null ? '' : result}</td>
<td class="number">${format.number(added)}</td><td class="number">${format.number(listed)}</td><td class="number">${format.number(onlyHere)}</td></tr>`;
  });
  const { columns } = text;
  return panel(
    'sources',
    text.title,
    html`<div class="scroll whole" tabindex="0" role="group" aria-labelledby="sources"><table><caption>${text.text}</caption>
<thead><tr><th scope="col">${columns.name}</th><th scope="col">${columns.readAt}</th><th scope="col">${columns.outcome}</th><th scope="col" class="number">${columns.added}</th><th scope="col" class="number">${columns.listed}</th><th scope="col" class="number">${columns.onlyHere}</th></tr></thead>
<tbody>!${rows}</tbody></table></div>`,
  );
}

const REFRESH_SECONDS = 30;
/** What the crawler does now. */
const crawler: SitePage = {
  path: '/crawler',
  answer({ query }, context, site) {
    const [snapshot, domainTotals] = [context.directory.snapshot(), context.directory.domainTotals()];
    const refreshSeconds = query.get('refresh') === 'off' ? null : REFRESH_SECONDS;
    const body = crawlerPage(
      {
        ...{ at: context.now(), status: context.status(), refreshSeconds },
        sources: sourceResults(context.reader, snapshot),
        recordedVisits: context.reader.visits.lastId(),
        domains: domainTotals.counts.domains,
        newest: snapshot.newest,
      },
      site,
    );
    return { body, cacheControl: 'no-cache', refreshSeconds };
  },
};

export const crawlerRoutes: readonly SitePage[] = [crawler];
