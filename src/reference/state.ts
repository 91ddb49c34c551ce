import { overlay, type Partially } from './overlay.ts';
import { stockRobots } from './stock-robots.ts';

/** The server configuration resource, specification section 2.5. */
export interface ServerConfig {
  app: { name: string; url: string; description: string; software: string; version: string };
  media: {
    /** Megabytes. */
    max_video_size: number;
    /** Seconds. */
    max_video_duration: number;
    allowed_video_formats: string[];
  };
  fyf: boolean;
  registration: boolean;
  registration_mode: string;
  federation: boolean;
  pushNotifications: boolean;
  starterKits: boolean;
  atomFeeds: boolean;
  hasGifProvider: boolean;
  account: { max_bio_length: number };
}

/** The NodeInfo document, specification section 2.7, with the counts and the metadata that live servers add. */
export interface NodeInfo {
  version: string;
  software: { name: string; version: string };
  protocols: string[];
  services: { inbound: string[]; outbound: string[] };
  openRegistrations: boolean;
  usage: { users: { total: number; activeMonth: number; activeHalfyear: number }; localPosts: number };
  metadata: Record<string, unknown>;
}

/**
 * `spec`: the shape of the specification, nothing else. `live`: what real servers do where the two differ: `hasKlipy` for
 * `hasGifProvider`, a 2.1 link after the 2.0 one, no NodeInfo while federation is off, the stock robots.txt, and the
 * web app's page with status 200 for every unknown page.
 */
export type Profile = 'spec' | 'live';

/** What one server says about itself. Every value may be changed while it runs; the next answer shows it. */
export interface ReferenceState {
  profile: Profile;
  /** The base URL that NodeInfo links are built on; `config.app.url` is only what config claims. */
  url: string;
  config: ServerConfig;
  /** Top-level keys of config that are not sent, as by an older version. */
  missingConfigKeys: (keyof ServerConfig)[];
  usage: NodeInfo['usage'];
  /** Laid over the NodeInfo document, which otherwise follows from `config` and `usage`. */
  nodeInfo: Partially<NodeInfo>;
  /** The text of robots.txt, or null for 404. */
  robots: string | null;
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
}

/** The state of a server at `url`: the defaults of this file with `options` laid over them. */
export function createState(url: string, options: StateOptions = {}): ReferenceState {
  const profile = options.profile ?? 'spec';
  return {
    profile,
    url,
    config: overlay(defaultConfig(url), options.config),
    missingConfigKeys: options.missingConfigKeys ?? [],
    usage: overlay({ users: { total: 12, activeMonth: 5, activeHalfyear: 9 }, localPosts: 48 }, options.usage),
    nodeInfo: options.nodeInfo ?? {},
    robots: options.robots === undefined ? (profile === 'live' ? stockRobots : null) : options.robots,
  };
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
