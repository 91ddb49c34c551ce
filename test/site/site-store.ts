import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { type HostFacts, UNKNOWN_HOST } from '../../src/model/facts/host-facts.ts';
import type { InstanceFacts } from '../../src/model/facts/instance-facts.ts';
import { cleanText, LENGTHS } from '../../src/model/text/clean-text.ts';
import type { Visit } from '../../src/model/visit.ts';
import type { Store } from '../../src/store/store.ts';
import type { RecordedVisit } from '../../src/store/visits/visits.ts';
import { unknownFeatures, unknownLimits } from '../model/facts/unknown-facts.ts';
import { sampleHosting } from '../store/sample-hosting.ts';
import { hour, loopsVisit, recordedVisit, sampleFactsAt, unreachableVisit } from '../store/sample-visit.ts';

const DAY = 24 * hour;
/** The current time in the fixture. */
export const NOW = Date.UTC(2026, 5, 30, 12);

/** Markup that must be shown as text. If it runs, it sets `window.hostile`. */
export const HOSTILE_TEXT =
  '</title></script><script>window.hostile=1</script><img src=x onerror="window.hostile=1"> "\'` &lt; {{7*7}}';
export const HOSTILE_DOMAIN = storedDomain('hostile.example.net');
/** A domain with a port, which has no name, no description and no counts. */
export const SILENT_DOMAIN = storedDomain('silent.example.net:8443');
/** A server whose texts have no place where a line may break, after a letter with more marks than a page is high. */
export const UNBROKEN_DOMAIN = storedDomain('unbroken.example.net');
const UNBROKEN_TEXT = 'M\u2060'.repeat(100);
/** A domain that has been down for two weeks. */
export const DOWN_DOMAIN = storedDomain('loops1.site1-example.org');

/** Releases, and how many days before {@link NOW} each appeared. */
const RELEASES = [
  ['1.0.0-beta.9', 730],
  ['1.0.0-beta.11', 600],
  ['1.0.0-beta.13', 420],
  ['1.0.0', 300],
  ['1.1.0', 180],
  ['1.2.0', 60],
] as const;

const NAMES = [
  'Cat Loops',
  'Vidéo Libre',
  'ショート広場',
  'Loops Berlin',
  'Tiny Reels',
  'Skate Clips',
  'Recipes in 60 s',
  'Open Frames',
];
const TEXTS = [
  'Short videos of cats, and of people who love them.',
  'Une instance francophone pour partager des vidéos courtes, sans publicité et sans pistage. Ouverte à toutes et à tous.',
  'A friendly place for skaters. Be kind, film everything, credit your friends.',
  'Kurze Videos aus Berlin und Brandenburg.',
  null,
];
const MODES = ['open', 'curated', 'open', 'closed', null] as const;

export interface HistoryOptions {
  readonly instances: number;
  /** Length of the history. */
  readonly days: number;
  /** Days between the visits of an instance. The first instances have more visits, and all have one a day in the last `dailyDays`. */
  readonly everyDays: number;
  /** Default: 20. */
  readonly dailyDays?: number;
}

/**
 * Fills a store with instances that appeared, upgraded, grew and failed over time. One is hostile, another reports nothing
 * but its software, and in a large directory one more has texts that cannot be broken.
 */
export function fillHistory(store: Store, { instances, days, everyDays, dailyDays = 20 }: HistoryOptions): void {
  const domains = [
    HOSTILE_DOMAIN,
    SILENT_DOMAIN,
    ...Array.from({ length: Math.max(0, instances - 2) }, (_, index) => domainOf(index)),
    ...(instances < 100 ? [] : [UNBROKEN_DOMAIN]),
  ];
  const numbers = new Map(domains.map((domain, number) => [domain, number]));
  for (let daysAgo = days; daysAgo >= 0; daysAgo -= 1) {
    const at = NOW - daysAgo * DAY;
    const waitDays = (number: number) => {
      if (daysAgo <= dailyDays || (number < OFTEN_VISITED && daysAgo <= OFTEN_VISITED_DAYS)) return 1;
      return number < OFTEN_VISITED ? Math.min(7, everyDays) : everyDays;
    };
    const due = domains.filter(
      (domain, number) =>
        (domain === UNBROKEN_DOMAIN || appearedDaysAgo(number, domains.length, days) >= daysAgo) &&
        (days - daysAgo) % waitDays(number) === 0,
    );
    if (due.length === 0) continue;
    store.domains.enter(due, at);
    for (let start = 0; start < due.length; start += 500) {
      const batch = due.slice(start, start + 500);
      store.domains.requestVisit(batch, at);
      store.visits.record(
        store.due.pick(batch.length, at, batch).map((picked) => {
          const { domain } = picked.record;
          const number = numbers.get(domain) ?? 0;
          // Every third instance has moved.
          const place = number % 3 === 0 && daysAgo < 40 ? number + 1 : number;
          const host = {
            ...UNKNOWN_HOST,
            noindex: false,
            address: `198.51.100.${place % 250}`,
            hosting: sampleHosting(place),
          };
          const next = { nextVisit: at + waitDays(number) * DAY, host };
          if (isDownAt(domain, number, daysAgo))
            return withNextVisit(recordedVisit(picked, at, unreachableVisit(domain, at)), next);
          const facts = factsAt(domain, number, daysAgo, at);
          const durationMs = 90 + ((number * 37 + daysAgo * 29) % 160) + (daysAgo % 23 === 3 ? 400 : 0);
          return withNextVisit(
            recordedVisit(picked, at, loopsVisit(domain, at, { version: facts.version, facts, durationMs })),
            next,
          );
        }),
      );
    }
  }
  fillOthers(store);
}

/** The kinds of other domains: the start of their names, the result of their visits, and how many there are. */
const OTHERS: readonly (readonly [string, Partial<Visit>, number])[] = [
  ['mastodon', { version: '4.3.1' }, 14],
  ['pixelfed', { version: '0.12.6' }, 8],
  ['peertube', { version: '7.2.0' }, 5],
  ['misskey', { version: '2026.5.0' }, 3],
  ['gone', { verdict: 'unreachable', reason: 'dns-nxdomain' }, 6],
  ['slow', { verdict: 'unreachable', reason: 'connect-timeout' }, 4],
  ['page', { verdict: 'unidentified', reason: 'web-app' }, 3],
];

/** Adds domains that do not run Loops. */
function fillOthers(store: Store): void {
  const outcome = { verdict: 'other', reason: 'nodeinfo-software', via: 'nodeinfo', facts: null, steps: [] } as const;
  for (const [name, changes, count] of OTHERS) {
    const domains = Array.from({ length: count }, (_, index) => storedDomain(`${name}${index}.example.com`));
    const isOther = changes.verdict === undefined;
    store.domains.enter(domains, NOW);
    store.visits.record(
      store.due.pick(count, NOW, domains).map((picked) => {
        const named = isOther ? { software: name } : { via: null, software: null, version: null };
        const visit = loopsVisit(picked.record.domain, NOW, { ...outcome, ...named, ...changes });
        return withNextVisit(recordedVisit(picked, NOW, visit), { nextVisit: NOW + 7 * DAY });
      }),
    );
  }
}

/** The first instances are visited more often than the others: this many of them, once a day in this many last days. */
const OFTEN_VISITED = 12;
const OFTEN_VISITED_DAYS = 100;

/** Sets the next visit and the host facts, and the time since which visits fail. */
function withNextVisit(visit: RecordedVisit, next: { nextVisit: number; host?: HostFacts }): RecordedVisit {
  const { failingSince } = visit.picked.record;
  const hasFailed = visit.after.state === 'failing';
  return {
    ...visit,
    after: { ...visit.after, ...next, failingSince: hasFailed ? (failingSince ?? visit.visit.at) : null },
  };
}

/** The domain of the ordinary instance `index`. */
export function domainOf(index: number): Domain {
  return storedDomain(`loops${index}.site${index % 211}-example.org`);
}

function appearedDaysAgo(number: number, count: number, days: number): number {
  return number < 3 ? days : Math.floor(days * (1 - number / count));
}

function isDownAt(domain: Domain, number: number, daysAgo: number): boolean {
  if (domain === DOWN_DOMAIN) return daysAgo <= 14;
  if (number % 17 === 5) return daysAgo < 3;
  return (number * 7 + daysAgo * 3) % 97 === 0 && daysAgo > 0;
}

function factsAt(domain: Domain, number: number, daysAgo: number, at: number): InstanceFacts {
  const facts = sampleFactsAt(at);
  // Some instances upgrade very late.
  const delayDays = number % 10 === 3 ? 500 : number % 10 === 6 ? 250 : (number * 13) % 150;
  const version = RELEASES.findLast(([, released]) => released - delayDays >= daysAgo)?.[0] ?? RELEASES[0][0];
  // These two grow most, so that their names are on every list.
  const users =
    domain === HOSTILE_DOMAIN || domain === UNBROKEN_DOMAIN
      ? 20_000 - 20 * daysAgo
      : Math.round((3 + ((number * number) % 4_000)) * (1.2 - daysAgo / 900));
  const flag = (offset: number) => [true, true, false, null][(number + offset) % 4] as boolean | null;
  const ordinary: InstanceFacts = {
    ...facts,
    name: `${NAMES[number % NAMES.length]} ${number}`,
    description: TEXTS[number % TEXTS.length] ?? null,
    version,
    registration: {
      open: [true, true, true, false, null][number % 5] as boolean | null,
      mode: MODES[number % 5] ?? null,
    },
    features: {
      ...facts.features,
      forYouFeed: flag(0),
      pushNotifications: flag(1),
      starterKits: flag(2),
      atomFeeds: flag(3),
      gifProvider: flag(number % 3),
    },
    limits: {
      ...facts.limits,
      maxVideoSizeMB: [40, 100, 500, null][number % 4] ?? null,
      maxVideoDurationSeconds: [60, 180, 600, null][number % 4] ?? null,
    },
    usage: {
      users: number % 9 === 4 ? null : users,
      activeMonth: Math.round(users / 3),
      activeHalfyear: Math.round(users / 2),
      posts: users * 7,
      asOf: new Date(at).toISOString(),
    },
    flags: [],
    notes: [],
  };
  if (domain === HOSTILE_DOMAIN) {
    return {
      ...ordinary,
      name: HOSTILE_TEXT,
      description: HOSTILE_TEXT,
      registration: { open: true, mode: '"><script>window.hostile=1</script>' },
      limits: { ...ordinary.limits, videoFormats: ['"><img src=x onerror=window.hostile=1>'] },
    };
  }
  if (domain === UNBROKEN_DOMAIN) {
    return {
      ...ordinary,
      name: cleanText(`Z${'\u0301'.repeat(90)}${UNBROKEN_TEXT}`, LENGTHS.name),
      description: UNBROKEN_TEXT,
      version: UNBROKEN_TEXT.slice(0, LENGTHS.version),
      registration: { open: true, mode: UNBROKEN_TEXT.slice(0, LENGTHS.mode) },
    };
  }
  if (domain === SILENT_DOMAIN) {
    return {
      ...ordinary,
      name: null,
      description: null,
      version: null,
      registration: { open: null, mode: null },
      features: unknownFeatures,
      limits: unknownLimits,
      usage: { users: null, activeMonth: null, activeHalfyear: null, posts: null, asOf: null },
    };
  }
  return ordinary;
}
