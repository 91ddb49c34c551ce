import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import type { InstanceFacts } from '../../src/model/facts/instance-facts.ts';
import type { Reason } from '../../src/model/reason.ts';
import type { Verdict } from '../../src/model/verdict.ts';
import { unknownFeatures, unknownLimits } from '../model/facts/unknown-facts.ts';
import { createDraw, oneOf } from './draw.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const YEAR = 365 * DAY;

/** How a domain of the world behaves all year. */
export type Sort =
  | 'loops'
  | 'other'
  | 'unidentified'
  | 'alias'
  | 'nxdomain'
  | 'timeout'
  | 'robots'
  | 'turns-loops'
  | 'parked';

/** What a Loops server says of itself at a moment; `null` where it is too old to have a config endpoint. */
export interface Said {
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

/** A time in which a domain answers in another way than it is made to. */
interface Trouble {
  from: number;
  to: number;
  verdict: Verdict;
  reason: Reason;
}

export interface Host {
  domain: Domain;
  sort: Sort;
  /** Of two at a time, the first counts. */
  troubles: Trouble[];
  /** Of Loops servers: what was set when, in order of time. */
  settings: { from: number; said: Omit<Said, 'users' | 'posts'> }[];
  /** Users on the first day, and by how much they grow each day. */
  users: { first: number; daily: number };
  /** When a host of the sort `turns-loops` does. */
  turnsAt: number;
}

export interface World {
  start: number;
  hosts: Host[];
  /** Our own: nothing is asked in it. */
  downtime: { from: number; to: number };
}

/** So many of 10,000 hosts. */
const SHARES: Readonly<Record<Sort, number>> = {
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

/** A year of so many hosts, the same for the same seed. */
export function createWorld({ hosts, seed, start }: { hosts: number; seed: number; start: number }): World {
  const draw = createDraw(seed);
  const sorts = Object.entries(SHARES).flatMap(([sort, count]) =>
    Array.from({ length: Math.round((count * hosts) / 10_000) }, () => sort as Sort),
  );
  const made = sorts.map((sort, index) => makeHost(sort, index, draw, start));
  // On the 60th day half of the world is out of reach for a day, on the 200th a large provider for three hours.
  for (const host of made) {
    if (draw() < 0.5) host.troubles.push(outage(start + 60 * DAY, DAY, 'connect-timeout'));
    if (draw() < 0.3) host.troubles.push(outage(start + 200 * DAY, 3 * HOUR, 'connection-reset'));
  }
  return { start, hosts: made, downtime: { from: start + 120 * DAY, to: start + 123 * DAY } };
}

function outage(from: number, length: number, reason: Reason): Trouble {
  return { from, to: from + length, verdict: 'unreachable', reason };
}

function makeHost(sort: Sort, index: number, draw: () => number, start: number): Host {
  const isLoops = sort === 'loops' || sort === 'turns-loops';
  return {
    domain: storedDomain(`${sort}-${index}.site${index}.org`),
    sort,
    troubles: isLoops ? troublesOfLoops(draw, start) : troublesOfOther(draw, start),
    settings: isLoops ? settingsOf(index, draw, start) : [],
    users: { first: 1 + Math.floor(draw() * 800), daily: draw() * 3 },
    turnsAt: start + (30 + draw() * 300) * DAY,
  };
}

/** A few short failures; of some, a death, of some of those a revival; of a few, a 410. */
function troublesOfLoops(draw: () => number, start: number): Trouble[] {
  const troubles = Array.from({ length: Math.floor(draw() * 6) }, () =>
    outage(
      start + draw() * YEAR,
      (1 + draw() * 40) * HOUR,
      oneOf<Reason>(draw, ['http-5xx', 'connect-refused', 'dns-servfail', 'tls-expired', 'response-timeout']),
    ),
  );
  const fate = draw();
  const at = start + (20 + draw() * 250) * DAY;
  if (fate < 0.1) troubles.push(outage(at, 2 * YEAR, 'dns-nxdomain'));
  else if (fate < 0.2) troubles.push(outage(at, (25 + draw() * 60) * DAY, 'connect-refused'));
  else if (fate < 0.23) troubles.push({ from: at, to: at + 2 * YEAR, verdict: 'declined', reason: 'gone' });
  else if (fate < 0.26)
    troubles.push({ from: at, to: at + 30 * DAY, verdict: 'unidentified', reason: 'challenge-page' });
  return troubles;
}

function troublesOfOther(draw: () => number, start: number): Trouble[] {
  if (draw() > 0.3) return [];
  return [outage(start + draw() * YEAR, (1 + draw() * 60) * DAY, oneOf<Reason>(draw, ['http-5xx', 'connect-timeout']))];
}

function settingsOf(index: number, draw: () => number, start: number): Host['settings'] {
  const first = Math.floor(draw() * 4);
  let said = saidBy(index, first, draw() < 0.7);
  const settings: Host['settings'] = [{ from: start - DAY, said }];
  for (let release = first + 1; release < VERSIONS.length; release++) {
    if (draw() < 0.25) continue;
    const isOpen = said.config?.open ?? draw() < 0.7;
    said = { ...saidBy(index, release, isOpen), name: said.name };
    settings.push({ from: start + ((release - first) * 50 + draw() * 40) * DAY, said });
  }
  for (let change = 0; change < draw() * 5; change++) {
    const from = start + draw() * YEAR;
    const before = settings.findLast((one) => one.from <= from)?.said;
    if (before?.config == null) continue;
    const changed = oneOf(draw, [
      { ...before, name: `${before.name} ${change}` },
      { ...before, config: { ...before.config, open: !before.config.open } },
      { ...before, config: { ...before.config, maxVideoSizeMB: before.config.maxVideoSizeMB * 2 } },
      { ...before, config: { ...before.config, federation: !before.config.federation } },
    ]);
    settings.push({ from, said: changed });
  }
  return settings.sort((one, other) => one.from - other.from);
}

function saidBy(index: number, release: number, isOpen: boolean): Omit<Said, 'users' | 'posts'> {
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

/** How a host answers at a moment. */
export type Answer = { verdict: Verdict; reason: Reason; said: Said | null };

export function answerOf(host: Host, at: number): Answer {
  const trouble = host.troubles.find(({ from, to }) => from <= at && at < to);
  if (trouble !== undefined) return { verdict: trouble.verdict, reason: trouble.reason, said: null };
  const answer = (verdict: Verdict, reason: Reason): Answer => ({ verdict, reason, said: null });
  switch (host.sort) {
    case 'loops':
      return loops(host, at);
    case 'turns-loops':
      return at < host.turnsAt ? answer('other', 'nodeinfo-software') : loops(host, at);
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

function loops(host: Host, at: number): Answer {
  const said = host.settings.findLast(({ from }) => from <= at)?.said ?? host.settings[0]?.said;
  if (said === undefined) throw new Error(`${host.domain} says nothing`);
  const days = Math.floor((at - (host.settings[0]?.from ?? at)) / DAY);
  const users = Math.round(host.users.first + host.users.daily * days);
  const whole: Said = { ...said, users, posts: users * 7 };
  return { verdict: 'loops', reason: said.config === null ? 'nodeinfo-software' : 'config-software', said: whole };
}

/** The facts that a visit reads of what a server says. */
export function factsOf({ version, name, config, users, posts }: Said, at: number): InstanceFacts {
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
      starterKits: null,
      atomFeeds: null,
      gifProvider: null,
    },
    gifProviderBrand: null,
    limits: {
      ...unknownLimits,
      maxVideoSizeMB: config?.maxVideoSizeMB ?? null,
      maxVideoDurationSeconds: null,
      videoFormats: null,
      maxBioLength: null,
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
