import { type DataLimits, openData, type ReferenceData } from './data/open-data.ts';
import { type DeepPartial, deepMerge } from './deep-merge.ts';
import type { Delay, FaultRule } from './faults/fault-rule.ts';
import { checkSetting, JsonFileError } from './options/json-file.ts';
import { createRandom, type Random } from './random.ts';
import type { NodeInfo, ServerConfig } from './resources.ts';
import { fillData } from './seed/fill-data.ts';
import type { AccountOptions, VideoOptions } from './seed/options.ts';

/**
 * `spec`: behaves exactly as specified. `live`: behaves like real servers where they differ from the specification; README.md
 * lists the differences.
 */
export type Profile = 'spec' | 'live';

/** Maximum number of requests to `/api/` from one client address without a valid token. */
export interface RateLimit {
  perMinute: number;
  perHour: number;
}

/** Lifetimes in seconds. */
export interface Lifetimes {
  code: number;
  /** Null: tokens never expire. */
  token: number | null;
  /** A sign-in on the consent pages. */
  session: number;
}

/**
 * The settings and data of one server. Every value may be changed while it runs; the next answer shows the change. Setting
 * `profile`, `robots`, `delayMs`, `rateLimit`, `faults` or `autoApprove` to an invalid value throws a JsonFileError.
 */
export interface ReferenceState extends Disposable {
  profile: Profile;
  /** Base URL of NodeInfo links and other absolute URLs. `config.app.url` is only what config claims. */
  url: string;
  config: ServerConfig;
  /** Top-level keys that config omits, like an older version. */
  missingConfigKeys: (keyof ServerConfig)[];
  usage: NodeInfo['usage'];
  /** Merged into the NodeInfo document, which is derived from `config` and `usage`. */
  nodeInfo: DeepPartial<NodeInfo>;
  /** The text of robots.txt, or null for 404. Set it to undefined to follow the profile. */
  get robots(): string | null;
  set robots(value: string | null | undefined);
  /** Milliseconds before each answer: fixed, or drawn from a range. */
  delayMs: Delay;
  /**
   * Requests beyond the limit get 429 with Retry-After. Null: no limit. Set it to undefined to follow the profile.
   */
  get rateLimit(): RateLimit | null;
  set rateLimit(value: RateLimit | null | undefined);
  lifetimes: Lifetimes;
  /**
   * The fault rules. A matching `delay` rule only adds to the wait; the first other rule that matches applies to a request.
   * Setting the list copies it and restarts its `times` counts.
   */
  faults: FaultRule[];
  /** The local account that approves every authorization request without a page; null: the user decides on the consent pages. */
  get autoApprove(): string | null;
  set autoApprove(value: string | null);
  /** Random numbers for delays and fault probabilities. Seeded; not for secrets. */
  random: Random;
  /** The clock, milliseconds since the epoch. */
  now: () => number;
  /** Opened and filled from the seed at the first read. Throws once the server is closed. */
  readonly data: ReferenceData;
}

export interface StateOptions {
  /** Default `spec`. */
  profile?: Profile;
  config?: DeepPartial<ServerConfig>;
  missingConfigKeys?: (keyof ServerConfig)[];
  usage?: DeepPartial<NodeInfo['usage']>;
  nodeInfo?: DeepPartial<NodeInfo>;
  /** Default: the robots.txt of live servers in the profile `live`, else none. */
  robots?: string | null;
  /** Default 0. */
  delayMs?: Delay;
  /** Default: 60 a minute and 700 an hour in the profile `live`, else none. */
  rateLimit?: RateLimit | null;
  /** Default: ten minutes for codes, no expiry for tokens, a day for sign-ins. */
  lifetimes?: Partial<Lifetimes>;
  faults?: FaultRule[];
  /** The username of the local account that approves every authorization request without a page. Default: none. */
  autoApprove?: string | null;
  /** Default `Date.now`. */
  now?: () => number;
  /** The same seed gives the same accounts and videos and, in memory, the same client ids and tokens. Default 1. */
  seed?: number;
  /** Accounts to add, or, by username, changes to seeded accounts. */
  accounts?: readonly AccountOptions[];
  /** Videos to add, or, by id, changes to seeded videos. */
  videos?: readonly VideoOptions[];
  /** A SQLite file for accounts, videos, apps and tokens, created when missing. Default: in memory. */
  database?: string;
  limits?: Partial<DataLimits>;
}

/** The counts of the seeded accounts and videos. Accounts and videos that are added do not change them. */
const seededUsage: NodeInfo['usage'] = { users: { total: 4, activeMonth: 3, activeHalfyear: 4 }, localPosts: 20 };

/** The robots.txt of live servers: by the longest match (RFC 9309) it disallows config and allows NodeInfo. */
const liveRobots = `User-agent: *
Allow: /
Allow: /.well-known/nodeinfo
Allow: /nodeinfo/2.0
Allow: /nodeinfo/2.1
Disallow: /api/
Allow: /api/v1/video/
Allow: /api/v1/account/username/
Allow: /api/v1/tags/
`;

/** The rate limit of live servers. */
const liveRateLimit: RateLimit = { perMinute: 60, perHour: 700 };

/** The state of a server at `url`: the defaults merged with `options`. `autoApprove` is set by `createReferenceServer`. */
export function createState(url: string, options: StateOptions = {}): ReferenceState {
  const liveDefaults = { robots: liveRobots, rateLimit: { ...liveRateLimit } };
  const specDefaults = { robots: null, rateLimit: null };
  const profileDefaults = () => (profile === 'live' ? liveDefaults : specDefaults);
  let { profile = 'spec', robots, rateLimit, delayMs = 0 } = options;
  let faults = [...(options.faults ?? [])];
  let autoApprove: string | null = null;
  let data: ReferenceData | undefined;
  let isClosed = false;
  return {
    get profile() {
      return profile;
    },
    set profile(value) {
      profile = checkSetting('profile', value);
    },
    url,
    // Copies, so that a change affects neither other servers nor the options.
    config: structuredClone(deepMerge(defaultConfig(url), options.config)),
    missingConfigKeys: [...(options.missingConfigKeys ?? [])],
    usage: structuredClone(deepMerge(seededUsage, options.usage)),
    nodeInfo: structuredClone(options.nodeInfo ?? {}),
    get robots() {
      return robots === undefined ? profileDefaults().robots : robots;
    },
    set robots(value) {
      robots = value === undefined ? undefined : checkSetting('robots', value);
    },
    get delayMs() {
      return delayMs;
    },
    set delayMs(value) {
      delayMs = checkSetting('delayMs', value);
    },
    get rateLimit() {
      return rateLimit === undefined ? profileDefaults().rateLimit : rateLimit;
    },
    set rateLimit(value) {
      rateLimit = value === undefined ? undefined : checkSetting('rateLimit', value);
    },
    lifetimes: { code: 600, token: null, session: 86_400, ...options.lifetimes },
    get faults() {
      return faults;
    },
    set faults(value) {
      faults = [...checkSetting('faults', value)];
    },
    get autoApprove() {
      return autoApprove;
    },
    set autoApprove(value) {
      autoApprove = value === null ? null : checkLocalAccount(value, this.data);
    },
    random: createRandom(options.seed ?? 1),
    now: options.now ?? Date.now,
    get data() {
      if (isClosed) throw new Error('The server is closed, and so is its data; read it before closing.');
      data ??= openSeededData(options, url);
      return data;
    },
    [Symbol.dispose]: () => {
      isClosed = true;
      data?.[Symbol.dispose]();
      data = undefined;
    },
  };
}

/** @throws {JsonFileError} when no local account has this username. */
function checkLocalAccount(username: string, { accounts }: ReferenceData): string {
  if (accounts.findByUsername(String(username))?.local === true) return username;
  const allowed = accounts.all().flatMap((account) => (account.local ? [account.username] : []));
  const problem = `autoApprove is ${JSON.stringify(username)}; allowed: null, ${allowed.join(', ')}`;
  throw new JsonFileError('the options', [problem]);
}

function openSeededData({ database, limits, seed, accounts, videos }: StateOptions, url: string): ReferenceData {
  // With the name of the host, so that no host of a fleet accepts a token of another.
  const host = url === '' ? '' : new URL(url).hostname;
  const data = openData({ database, limits, secretSeed: `${seed ?? 1} ${host}` });
  try {
    fillData(data, { seed, accounts, videos });
    return data;
  } catch (error) {
    data[Symbol.dispose]();
    throw error;
  }
}

function defaultConfig(url: string): ServerConfig {
  return {
    app: {
      name: 'Loops Reference',
      url,
      description: 'A reference server of the Loops interface.',
      software: 'loops',
      version: '1.0.0-beta.14',
    },
    media: { max_video_size: 40, max_video_duration: 180, allowed_video_formats: ['mp4'] },
    fyf: true,
    registration: true,
    registration_mode: 'open',
    federation: true,
    pushNotifications: false,
    starterKits: true,
    atomFeeds: true,
    hasGifProvider: false,
    account: { max_bio_length: 500 },
  };
}

/** Whether NodeInfo, WebFinger, actors and inboxes are served. Live servers hide them while federation is off. */
export function isFederationVisible(state: ReferenceState): boolean {
  return state.profile === 'spec' || state.config.federation;
}
