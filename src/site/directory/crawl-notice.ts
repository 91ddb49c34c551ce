import { html } from 'ghtml';
import type { CrawlerStatus } from '../../directory/crawler-status.ts';
import { type EpochMs, HOUR_MS } from '../../model/time.ts';
import type { Site } from '../site.ts';

/** What the crawler does now. Null: it runs in another process, which does not say. */
export interface CrawlNews {
  readonly at: EpochMs;
  readonly phase: NonNullable<CrawlerStatus['crawl']>['phase'] | null;
  readonly offlineSince: string | null;
  /** Known domains that were never visited. */
  readonly waiting: number | null;
  /** Known domains. */
  readonly domains: number;
  readonly visitsLastHour: number | null;
}

/** A directory is new while it is empty, or while more than this share of its domains waits for the first visit. */
const NEW_SHARE = 0.1;

/** Says on the front page that the crawler is offline, or what a new directory waits for; empty otherwise. */
export function crawlNotice(news: CrawlNews, instances: number, { words, links }: Site): string {
  const { notice } = words.directory;
  const { phase, offlineSince, waiting, domains, visitsLastHour } = news;
  const { number, dateTime, age } = words.format;
  const isOffline = phase === 'offline';
  const isNew = instances === 0 || (waiting ?? 0) > domains * NEW_SHARE;
  if (!isOffline && !isNew) return '';
  const pace = waiting !== null && waiting > 0 && visitsLastHour !== null && visitsLastHour > 0;
  const sentences = [
    isOffline && offlineSince !== null ? notice.offlineSince(dateTime(offlineSince)) : '',
    isOffline ? notice.offline : '',
    isNew && domains > 0 ? notice.known(number(domains)) : '',
    isNew && domains > 0 && waiting !== null ? notice.waiting(number(waiting)) : '',
    isNew && !isOffline && phase !== null ? notice.phases[phaseOf(news)] : '',
    isNew && !isOffline && pace ? notice.pace(age((waiting / visitsLastHour) * HOUR_MS)) : '',
  ];
  return html`<section class="panel ${isOffline ? 'alarm' : 'news'}" aria-labelledby="news">
<h2 id="news">${isOffline ? notice.offlineTitle : notice.newTitle}</h2>
<p>${sentences.filter((sentence) => sentence !== '').join(' ')} <a href="${links.page('/crawler')}">${notice.more}</a></p>
</section>`;
}

function phaseOf({ domains, waiting }: CrawlNews): 'reading' | 'done' | 'visiting' {
  if (domains === 0) return 'reading';
  return waiting === 0 ? 'done' : 'visiting';
}
