import type { CrawlerStatus } from '../../../directory/crawler-status.ts';
import type { RunOutcome } from '../../../model/run-outcome.ts';
import type { DueKind } from '../../../store/frontier/known-domains.ts';

type Phase = NonNullable<CrawlerStatus['crawl']>['phase'];

/** The state of the crawler. */
export const crawler = {
  title: 'The crawler',
  description: 'What the crawler does now: its backlog, its visits, failures, sources and exports.',
  status: {
    ok: 'Everything works',
    degraded: 'An external service fails',
    failing: 'A part of the crawler fails',
  } satisfies Record<CrawlerStatus['status'], string>,
  phases: {
    idle: 'No visit is running; the due domains are visited next.',
    crawling: 'Due domains are being visited.',
    offline: 'This machine is offline: nothing is visited, and no failure is recorded.',
    stopping: 'It is stopping: running visits finish, no new ones start.',
  } satisfies Record<Phase, string>,
  upToDate: 'Every due domain was visited; the next visit starts when a domain is due.',
  readOnly: 'This process only serves the data; the crawler runs in another process.',
  offlineSince: (time: string) => `Offline since ${time}.`,
  problems: 'Problems',
  backlog: {
    title: 'Backlog',
    text: 'Domains that are due and wait for their visit.',
    kinds: {
      live: 'Loops servers',
      new: 'new domains',
      known: 'other known domains',
      dead: 'dead domains',
    } satisfies Record<DueKind, string>,
    late: (duration: string) => `the oldest for ${duration}`,
    none: 'none waits',
    columns: { kind: 'Domains', due: 'Due', late: 'Waiting' },
  },
  visits: {
    title: 'Visits in the last hour',
    total: (count: number, text: string) => `${text} ${count === 1 ? 'visit' : 'visits'}`,
    none: 'No visit in the last hour.',
    unknown: 'Unknown: the crawler runs in another process.',
  },
  failures: {
    title: 'Unreachable in the last hour',
    of: (share: string) => `${share} of all visits`,
    none: 'Every visited host could be reached.',
    classes: {
      'no such name': 'the name does not exist',
      'DNS failure': 'DNS failed',
      'TLS failure': 'TLS failed',
      'server error': 'server error',
      'no connection': 'no connection',
      'time-out': 'time-out',
    } as Readonly<Record<string, string>>,
  },
  workers: {
    title: 'Workers',
    text: 'Visits are carried out by workers on other machines.',
    columns: {
      name: 'Worker',
      version: 'Loopscout',
      lastSeen: 'Last seen',
      visits: 'Visits',
      errors: 'Errors',
    },
  },
  sources: {
    title: 'Sources',
    text: 'Where candidate domains come from, and how many servers of the directory each of them contains.',
    none: 'No source was read yet.',
    /** By the type of the source. */
    types: {
      crawled: 'Crawled servers',
      csv: 'CSV list',
      fedidb: 'FediDB',
      'fediverse-observer': 'Fediverse Observer',
      file: 'File',
      json: 'JSON list',
      'lemmy-federated': 'Lemmy: federated servers',
      'mastodon-peers': 'Mastodon: peers',
      'misskey-instances': 'Misskey: instances',
      'peertube-follows': 'PeerTube: follows',
    } as Readonly<Record<string, string>>,
    columns: {
      name: 'Source',
      readAt: 'Last read',
      outcome: 'Result',
      added: 'Domains added',
      listed: 'Servers',
      onlyHere: 'Only in this source',
    },
    outcomes: {
      complete: 'complete',
      unchanged: 'unchanged',
      partial: 'partly read',
      failed: 'failed',
      denied: 'refused: its server admits no programs, or requires a key; the command sources names the cure',
      broken: 'interrupted',
    } satisfies Record<RunOutcome, string>,
    running: 'being read',
    never: 'never',
  },
  publication: {
    title: 'Publication',
    lastExport: 'Last export',
    none: 'none since the start',
    guard: 'Check before publishing',
    guards: { passed: 'passed', refused: 'refused: the published files stay as they were' },
    unknown: 'unknown',
    compaction: 'Old data last deleted',
  },
  process: {
    title: 'This process',
    version: 'Loopscout',
    startedAt: 'Running since',
    recorded: 'Visits recorded so far',
    domains: 'Known domains',
    newest: 'Newest Loops version',
    newestFrom: { release: 'as released', crawl: 'as run by several servers' },
    memory: 'Memory',
    megabytes: (count: string) => `${count} MB`,
  },
  forPrograms: 'For programs:',
  refreshing: (seconds: string) => `This page reloads every ${seconds} seconds.`,
  stopRefreshing: 'Stop reloading',
  startRefreshing: 'Reload this page automatically',
};
