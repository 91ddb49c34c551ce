import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import type { InstanceFacts } from '../../src/model/facts/instance-facts.ts';
import type { Reason } from '../../src/model/reason.ts';
import type { Verdict } from '../../src/model/verdict.ts';
import { unknownFeatures, unknownLimits } from '../model/facts/unknown-facts.ts';
import { createDraw, pick } from './draw.ts';

/** In milliseconds, as all times and lengths of time here. */
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const YEAR = 365 * DAY;

/** Behaviour of a domain throughout the year. */
export type HostKind =
  | 'loops'
  | 'other'
  | 'unidentified'
  | 'alias'
  | 'nxdomain'
  | 'timeout'
  | 'robots'
  | 'turns-loops'
  | 'parked';

/** The values that a Loops server publishes at one time; `config` is null for a version without the endpoint. */
export interface Published {
  version: string;
  name: string;
  config: {
    open: boolean;
    mode: string;
    federation: boolean;
    forYouFeed: boolean;
    pushNotifications: boolean | null;
    maxVideoSizeMB: number;
  } | null;
  users: number;
  posts: number;
}

/** A period in which a domain answers differently. */
interface Disruption {
  from: number;
  to: number;
  verdict: Verdict;
  reason: Reason;
}

export interface Host {
  domain: Domain;
  kind: HostKind;
  /** If two overlap, the first in the list applies. */
  disruptions: Disruption[];
  /** Loops servers only: published settings by start time, ascending. */
  settings: { from: number; published: Omit<Published, 'users' | 'posts'> }[];
  /** Users on the first day, and growth per day. */
  users: { first: number; daily: number };
  /** When a host of the kind `turns-loops` becomes a Loops server. */
  turnsAt: number;
}

export interface World {
  start: number;
  hosts: Host[];
  /** When the crawler does not run. */
  downtime: { from: number; to: number };
}

/** Hosts of each kind out of 10,000. */
const SHARES: Readonly<Record<HostKind, number>> = {
  loops: 190,
  'turns-loops': 10,
  other: 3_300,
  unidentified: 2_300,
  parked: 700,
  alias: 1_500,
  nxdomain: 900,
  timeout: 700,
  robots: 400,
};

const VERSIONS = [
  '1.0.0-beta.5',
  '1.0.0-beta.6',
  '1.0.0-beta.9',
  '1.0.0-beta.11',
  '1.0.0-beta.13',
  '1.0.0-beta.14',
  '1.0.0',
] as const;

/** Creates a world of this many hosts, determined by the seed. */
export function createWorld({ hosts, seed, start }: { hosts: number; seed: number; start: number }): World {
  const draw = createDraw(seed);
  const kinds = Object.entries(SHARES).flatMap(([kind, count]) =>
    Array.from({ length: Math.round((count * hosts) / 10_000) }, () => kind as HostKind),
  );
  const created = kinds.map((kind, index) => createHost(kind, index, draw, start));
  // On day 60 about half of the world is unreachable for a day, on day 200 about 30 % for three hours: a network fault, and a provider's.
  for (const host of created) {
    if (draw() < 0.5) host.disruptions.push(outage(start + 60 * DAY, DAY, 'connect-timeout'));
    if (draw() < 0.3) host.disruptions.push(outage(start + 200 * DAY, 3 * HOUR, 'connection-reset'));
  }
  return { start, hosts: created, downtime: { from: start + 120 * DAY, to: start + 123 * DAY } };
}

function outage(from: number, length: number, reason: Reason): Disruption {
  return { from, to: from + length, verdict: 'unreachable', reason };
}

function createHost(kind: HostKind, index: number, draw: () => number, start: number): Host {
  const isLoops = kind === 'loops' || kind === 'turns-loops';
  return {
    domain: storedDomain(`${kind}-${index}.site${index}.org`),
    kind,
    disruptions: isLoops ? loopsDisruptions(draw, start) : otherDisruptions(draw, start),
    settings: isLoops ? settingsOf(index, draw, start) : [],
    users: { first: 1 + Math.floor(draw() * 800), daily: draw() * 3 },
    turnsAt: start + (30 + draw() * 300) * DAY,
  };
}

/** Up to five short failures; some hosts then die or are down for weeks, a few answer 410 from then on or a challenge page for a month. */
function loopsDisruptions(draw: () => number, start: number): Disruption[] {
  const disruptions = Array.from({ length: Math.floor(draw() * 6) }, () =>
    outage(
      start + draw() * YEAR,
      (1 + draw() * 40) * HOUR,
      pick<Reason>(draw, ['http-5xx', 'connect-refused', 'dns-servfail', 'tls-expired', 'response-timeout']),
    ),
  );
  const chance = draw();
  const at = start + (20 + draw() * 250) * DAY;
  if (chance < 0.1) disruptions.push(outage(at, 2 * YEAR, 'dns-nxdomain'));
  else if (chance < 0.2) disruptions.push(outage(at, (25 + draw() * 60) * DAY, 'connect-refused'));
  else if (chance < 0.23) disruptions.push({ from: at, to: at + 2 * YEAR, verdict: 'declined', reason: 'gone' });
  else if (chance < 0.26)
    disruptions.push({ from: at, to: at + 30 * DAY, verdict: 'unidentified', reason: 'challenge-page' });
  return disruptions;
}

/** One failure of up to 61 days, for 30 % of the hosts. */
function otherDisruptions(draw: () => number, start: number): Disruption[] {
  if (draw() > 0.3) return [];
  return [outage(start + draw() * YEAR, (1 + draw() * 60) * DAY, pick<Reason>(draw, ['http-5xx', 'connect-timeout']))];
}

/** What a server publishes: most releases after a first one, and a few other changes. */
function settingsOf(index: number, draw: () => number, start: number): Host['settings'] {
  const first = Math.floor(draw() * 4);
  let published = createPublished(index, first, draw() < 0.7);
  const settings: Host['settings'] = [{ from: start - DAY, published }];
  for (let release = first + 1; release < VERSIONS.length; release++) {
    if (draw() < 0.25) continue;
    const isOpen = published.config?.open ?? draw() < 0.7;
    published = { ...createPublished(index, release, isOpen), name: published.name };
    settings.push({ from: start + ((release - first) * 50 + draw() * 40) * DAY, published });
  }
  // The limit is drawn again for each change, so that most hosts have few.
  for (let change = 0; change < draw() * 5; change++) {
    const from = start + draw() * YEAR;
    const before = settings.findLast((setting) => setting.from <= from)?.published;
    if (before?.config == null) continue;
    const changed = pick(draw, [
      { ...before, name: `${before.name} ${change}` },
      { ...before, config: { ...before.config, open: !before.config.open } },
      { ...before, config: { ...before.config, maxVideoSizeMB: before.config.maxVideoSizeMB * 2 } },
      { ...before, config: { ...before.config, federation: !before.config.federation } },
    ]);
    settings.push({ from, published: changed });
  }
  return settings.sort((a, b) => a.from - b.from);
}

/** @param release index in `VERSIONS`. The first version has no config, the second no push notifications. */
function createPublished(index: number, release: number, isOpen: boolean): Omit<Published, 'users' | 'posts'> {
  const config =
    release === 0
      ? null
      : {
          open: isOpen,
          mode: isOpen ? 'open' : 'closed',
          federation: index % 3 !== 0,
          forYouFeed: index % 2 === 0,
          pushNotifications: release < 2 ? null : index % 5 !== 0,
          maxVideoSizeMB: 40,
        };
  return { version: VERSIONS[release] ?? VERSIONS[0], name: `Loops ${index}`, config };
}

/** The answer of a host at one time; `published` is null unless it is a Loops server. */
export type Answer = { verdict: Verdict; reason: Reason; published: Published | null };

export function answerOf(host: Host, at: number): Answer {
  const disruption = host.disruptions.find(({ from, to }) => from <= at && at < to);
  if (disruption !== undefined) return { verdict: disruption.verdict, reason: disruption.reason, published: null };
  const answer = (verdict: Verdict, reason: Reason): Answer => ({ verdict, reason, published: null });
  switch (host.kind) {
    case 'loops':
      return loopsAnswer(host, at);
    case 'turns-loops':
      return at < host.turnsAt ? answer('other', 'nodeinfo-software') : loopsAnswer(host, at);
    case 'other':
      return answer('other', 'nodeinfo-software');
    case 'unidentified':
      return answer('unidentified', 'no-nodeinfo');
    case 'parked':
      return answer('unidentified', 'parked-page');
    case 'alias':
      return answer('alias', 'redirected');
    case 'nxdomain':
      return answer('unreachable', 'dns-nxdomain');
    case 'timeout':
      return answer('unreachable', 'connect-timeout');
    case 'robots':
      return answer('declined', 'robots-forbidden');
  }
}

function loopsAnswer(host: Host, at: number): Answer {
  const published = host.settings.findLast(({ from }) => from <= at)?.published ?? host.settings[0]?.published;
  if (published === undefined) throw new Error(`${host.domain} has no settings`);
  const days = Math.floor((at - (host.settings[0]?.from ?? at)) / DAY);
  const users = Math.round(host.users.first + host.users.daily * days);
  const complete: Published = { ...published, users, posts: users * 7 };
  return {
    verdict: 'loops',
    reason: published.config === null ? 'nodeinfo-software' : 'config-software',
    published: complete,
  };
}

/** The facts that a visit reads from the published values. */
export function factsOf({ version, name, config, users, posts }: Published, at: number): InstanceFacts {
  // When the config says that federation is off, a visit does not read NodeInfo, which has the counts.
  const isCounted = config?.federation !== false;
  return {
    name,
    description: null,
    software: 'loops',
    version,
    registration: { open: config === null ? true : config.open, mode: config?.mode ?? null },
    federation: config?.federation ?? null,
    features: {
      ...unknownFeatures,
      forYouFeed: config?.forYouFeed ?? null,
      pushNotifications: config?.pushNotifications ?? null,
    },
    gifProviderBrand: null,
    limits: {
      ...unknownLimits,
      maxVideoSizeMB: config?.maxVideoSizeMB ?? null,
    },
    usage: {
      users: isCounted ? users : null,
      activeMonth: null,
      activeHalfyear: null,
      posts: isCounted ? posts : null,
      asOf: isCounted ? new Date(at).toISOString() : null,
    },
    flags: [],
    notes: [],
  };
}
