import { type DataLimits, openData, type ReferenceData } from './data/open-data.ts';
import type { Delay, FaultRule } from './faults/fault-rule.ts';
import { checkSetting } from './options/json-file.ts';
import { overlay, type Partially } from './overlay.ts';
import { createRandom, type Random } from './random.ts';
import type { NodeInfo, ServerConfig } from './resources.ts';
import { fillData } from './seed/fill-data.ts';
import type { AccountOptions, VideoOptions } from './seed/options.ts';

/**
 * `spec`: the shape of the specification, nothing else. `live`: what real servers do where the two differ: `hasKlipy` for
 * `hasGifProvider`, a 2.1 link after the 2.0 one, no NodeInfo while federation is off, the stock robots.txt, and the
 * web app's page with status 200 for every unknown page.
 */
export type Profile = 'spec' | 'live';

/** Requests that one address may make without a token. */
export interface RateLimit {
  perMinute: number;
  perHour: number;
}

/** How long things hold, in seconds. */
export interface Lifetimes {
  code: number;
  /** Null: a token never expires by itself. */
  token: number | null;
  /** Of a sign-in on the consent pages. */
  session: number;
}

/**
 * What one server says and does. Every value may be changed while it runs; the next answer shows it. `profile`, `robots`, `delayMs`,
 * `rateLimit` and `faults` throw a JsonFileError when they are set to what they cannot be.
 */
export interface ReferenceState extends Disposable {
  profile: Profile;
  /** The base URL that NodeInfo links are built on; `config.app.url` is only what config claims. */
  url: string;
  config: ServerConfig;
  /** Top-level keys of config that are not sent, as by an older version. */
  missingConfigKeys: (keyof ServerConfig)[];
  usage: NodeInfo['usage'];
  /** Laid over the NodeInfo document, which otherwise follows from `config` and `usage`. */
  nodeInfo: Partially<NodeInfo>;
  /** The text of robots.txt, or null for 404. Undefined: what the profile has, whichever that is then. */
  get robots(): string | null;
  set robots(value: string | null | undefined);
  /** Milliseconds before each answer: always the same, or drawn from a range for each. */
  delayMs: Delay;
  /**
   * How often one address may ask without a token; a request beyond it is answered 429 with Retry-After. Null: as often as it likes.
   * Undefined: what the profile has, whichever that is then.
   */
  get rateLimit(): RateLimit | null;
  set rateLimit(value: RateLimit | null | undefined);
  lifetimes: Lifetimes;
  /**
   * What goes wrong, and on which routes; the first rule that applies to a request is the one that does. The list is copied when it
   * is set, and the `times` of its rules are counted anew.
   */
  faults: FaultRule[];
  /** Draws delays, and whether a fault with a probability happens; seeded. Not for secrets. */
  random: Random;
  /** The clock, milliseconds since the epoch. */
  now: () => number;
  /** Accounts, videos, apps, codes, tokens and sign-ins; opened, and filled from the seed, when first read. Throws once the server is closed. */
  readonly data: ReferenceData;
}

export interface StateOptions {
  /** Default `spec`. */
  profile?: Profile;
  config?: Partially<ServerConfig>;
  missingConfigKeys?: (keyof ServerConfig)[];
  usage?: Partially<NodeInfo['usage']>;
  nodeInfo?: Partially<NodeInfo>;
  /** Default: the stock file in the profile `live`, else none. */
  robots?: string | null;
  /** Default 0. */
  delayMs?: Delay;
  /** Default: 60 a minute and 700 an hour in the profile `live`, else none. */
  rateLimit?: RateLimit | null;
  /** Default: codes ten minutes, tokens for ever, sign-ins a day. */
  lifetimes?: Partial<Lifetimes>;
  faults?: FaultRule[];
  /** Default `Date.now`. */
  now?: () => number;
  /** The same seed gives the same accounts and videos. Default 1. */
  seed?: number;
  /** Accounts to have beside the seeded ones, or, by username, with changes to them. */
  accounts?: readonly AccountOptions[];
  /** Videos to have beside the seeded ones, or, by id, with changes to them. */
  videos?: readonly VideoOptions[];
  /** A SQLite file that keeps accounts, videos, apps and tokens; made when it does not exist. Default: in memory. */
  database?: string;
  limits?: Partial<DataLimits>;
}

/** The counts of the accounts and videos that every seed gives; they are claims, and do not follow what is added later. */
const seededUsage: NodeInfo['usage'] = { users: { total: 4, activeMonth: 3, activeHalfyear: 4 }, localPosts: 20 };

/** What guests may ask of a live server. */
const stockRateLimit: RateLimit = { perMinute: 60, perHour: 700 };

/** The state of a server at `url`: the defaults of this file with `options` laid over them. */
export function createState(url: string, options: StateOptions = {}): ReferenceState {
  const stock = { robots: stockRobots, rateLimit: { ...stockRateLimit } };
  const none = { robots: null, rateLimit: null };
  const ofProfile = () => (profile === 'live' ? stock : none);
  let { profile = 'spec', robots, rateLimit, delayMs = 0 } = options;
  let faults = [...(options.faults ?? [])];
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
    // Copies: what is changed in one server's state must show neither in another's nor in the options.
    config: structuredClone(overlay(defaultConfig(url), options.config)),
    missingConfigKeys: [...(options.missingConfigKeys ?? [])],
    usage: structuredClone(overlay(seededUsage, options.usage)),
    nodeInfo: structuredClone(options.nodeInfo ?? {}),
    get robots() {
      return robots === undefined ? ofProfile().robots : robots;
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
      return rateLimit === undefined ? ofProfile().rateLimit : rateLimit;
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
    random: createRandom(options.seed ?? 1),
    now: options.now ?? Date.now,
    get data() {
      if (isClosed) throw new Error('The server is closed, and its data with it; read them before that.');
      data ??= openFilled(options);
      return data;
    },
    [Symbol.dispose]: () => {
      isClosed = true;
      data?.[Symbol.dispose]();
      data = undefined;
    },
  };
}

function openFilled({ database, limits, seed, accounts, videos }: StateOptions): ReferenceData {
  const data = openData({ database, limits });
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

/** A robots.txt in the form that live servers ship: by the longest match (RFC 9309), config is disallowed, NodeInfo is not. */
export const stockRobots = `User-agent: *
Allow: /
Allow: /.well-known/nodeinfo
Allow: /nodeinfo/2.0
Allow: /nodeinfo/2.1
Disallow: /api/
Allow: /api/v1/video/
Allow: /api/v1/account/username/
Allow: /api/v1/tags/
`;

/** A live server hides NodeInfo, WebFinger and its actors while federation is off. */
export function federationIsShown(state: ReferenceState): boolean {
  return state.profile === 'spec' || state.config.federation;
}
