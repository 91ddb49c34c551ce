import type { ProbeId } from '../probes/probe-ids.ts';
import type { ServerClause } from './clause.ts';

/** The types of the tables in section 2 of the specification. */
export const FIELD_TYPES = [
  'string',
  'string or null',
  'integer',
  'boolean',
  'boolean or null',
  'object',
  'object or empty array',
  'array',
  'array of string',
  'array of object',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** One table of section 2, or several tables of one resource. */
export interface ResourceTable {
  /** Prefix of the clause ids. */
  name: string;
  /** The resource in a sentence: `the video`. */
  title: string;
  section: string;
  /** The probes whose answers have the resource. */
  probes: readonly ProbeId[];
  /** The key that wraps the resource; none when it is bare. */
  wrapper?: string;
  /** Whether a separate clause states that nothing wraps the resource. */
  isBare?: true;
  /** The type of each field by its path; `links[].url` is `url` in every element of `links`. */
  fields: Readonly<Record<string, FieldType>>;
}

/** The tables of section 2, from which the clauses of the fields and their judgements are derived. */
export const RESOURCE_TABLES: readonly ResourceTable[] = [
  {
    name: 'app',
    title: 'the app registration record',
    section: '2.1',
    probes: ['apps'],
    fields: {
      id: 'string',
      name: 'string',
      website: 'string',
      redirect_uri: 'string',
      client_id: 'string',
      client_secret: 'string',
    },
  },
  {
    name: 'token',
    title: 'the token record',
    section: '2.2',
    probes: ['app-token', 'token'],
    fields: { access_token: 'string', token_type: 'string', scope: 'string', created_at: 'integer' },
  },
  {
    name: 'account',
    title: 'the account',
    section: '2.3',
    probes: ['account'],
    wrapper: 'data',
    fields: {
      id: 'string',
      name: 'string',
      avatar: 'string',
      username: 'string',
      is_owner: 'boolean',
      local: 'boolean',
      bio: 'string',
      post_count: 'integer',
      follower_count: 'integer',
      following_count: 'integer',
      url: 'string',
      remote_url: 'string or null',
      is_blocking: 'boolean or null',
      manually_approves_followers: 'boolean',
      links: 'array of object',
      'links[].url': 'string',
      'links[].link': 'string',
      'links[].is_verified': 'boolean',
      has_playlists: 'boolean',
      is_admin: 'boolean',
      created_at: 'string',
      likes_count: 'integer',
    },
  },
  {
    name: 'video',
    title: 'the video',
    section: '2.4',
    probes: ['video'],
    isBare: true,
    fields: {
      id: 'string',
      account: 'object',
      'account.id': 'string',
      'account.name': 'string',
      'account.username': 'string',
      'account.avatar': 'string',
      caption: 'string',
      url: 'string',
      shortcode: 'string',
      is_owner: 'boolean',
      is_sensitive: 'boolean',
      is_local: 'boolean',
      media: 'object',
      'media.thumbnail': 'string',
      'media.src_url': 'string',
      'media.hls_url': 'string or null',
      'media.alt_text': 'string or null',
      'media.duration': 'integer',
      'media.width': 'integer',
      'media.height': 'integer',
      pinned: 'boolean',
      likes: 'integer',
      shares: 'integer',
      comments: 'integer',
      bookmarks: 'integer',
      has_liked: 'boolean',
      has_bookmarked: 'boolean',
      is_edited: 'boolean',
      lang: 'string or null',
      tags: 'array',
      mentions: 'array',
      permissions: 'object',
      'permissions.can_comment': 'boolean',
      'permissions.can_download': 'boolean',
      'permissions.can_duet': 'boolean',
      'permissions.can_stitch': 'boolean',
      'permissions.can_embed': 'boolean',
      audio: 'object',
      'audio.has_audio': 'boolean',
      'audio.id': 'string',
      'audio.count': 'integer',
      'audio.key': 'string',
      'audio.sound_id': 'string',
      meta: 'object',
      'meta.contains_ai': 'boolean',
      'meta.contains_ad': 'boolean',
      created_at: 'string',
    },
  },
  {
    name: 'config',
    title: 'the server configuration',
    section: '2.5',
    probes: ['config'],
    fields: {
      'app.name': 'string',
      'app.url': 'string',
      'app.description': 'string',
      'app.software': 'string',
      'app.version': 'string',
      'media.max_video_size': 'integer',
      'media.max_video_duration': 'integer',
      'media.allowed_video_formats': 'array of string',
      fyf: 'boolean',
      registration: 'boolean',
      registration_mode: 'string',
      federation: 'boolean',
      pushNotifications: 'boolean',
      starterKits: 'boolean',
      atomFeeds: 'boolean',
      hasGifProvider: 'boolean',
      'account.max_bio_length': 'integer',
    },
  },
  {
    name: 'discovery',
    title: 'the NodeInfo discovery document',
    section: '2.6',
    probes: ['discovery'],
    fields: { links: 'array of object', 'links[].rel': 'string', 'links[].href': 'string' },
  },
  {
    name: 'nodeinfo',
    title: 'the NodeInfo document',
    section: '2.7',
    probes: ['nodeinfo'],
    fields: {
      version: 'string',
      'software.name': 'string',
      'software.version': 'string',
      protocols: 'array of string',
      'services.inbound': 'array',
      'services.outbound': 'array',
      openRegistrations: 'boolean',
      'usage.users.total': 'integer',
      'usage.localPosts': 'integer',
      metadata: 'object',
    },
  },
];

const OTHER_RECORD = 'Live servers send `client_name`, `redirect_uris`, `client_id` and `client_secret`.';
const OTHER_TOKEN = 'Live servers send `token_type`, `expires_in`, `access_token` and `refresh_token`.';

/** The fields that live servers do not send: the known difference by clause id. */
const NOT_LIVE: Readonly<Record<string, string>> = {
  'app.id': OTHER_RECORD,
  'app.name': OTHER_RECORD,
  'app.website': OTHER_RECORD,
  'app.redirect_uri': OTHER_RECORD,
  'token.scope': OTHER_TOKEN,
  'token.created_at': OTHER_TOKEN,
};

const GONE = 'On live servers, `account` is an empty list when the author is gone.';
const OLDER = 'Live servers of earlier versions, or with a cached configuration, do not send it.';

/** The types that live servers also send, by clause id. */
const LIVE_TYPES: Readonly<Record<string, { type: FieldType; difference: string }>> = {
  'video.account': { type: 'object or empty array', difference: GONE },
  'video.media.src_url': { type: 'string or null', difference: 'On live servers, it is null during processing.' },
  'video.audio.sound_id': { type: 'string or null', difference: 'On live servers, it may be null.' },
};

/** The fields that came with later versions of live servers. */
const LATER = ['registration_mode', 'pushNotifications', 'starterKits', 'atomFeeds', 'account.max_bio_length'].map(
  (path) => `config.${path}`,
);

/** The names that differ on live servers, by the name in the specification. */
export const LIVE_NAMES: Readonly<Record<string, string>> = { hasGifProvider: 'hasKlipy' };

export interface FieldClause extends ServerClause {
  table: ResourceTable;
  path: string;
  type: FieldType;
  /** The type in the profile `live`, if it is another. */
  liveType?: FieldType;
}

/** One clause per field: the field is there and has its type. */
export const FIELD_CLAUSES: readonly FieldClause[] = RESOURCE_TABLES.flatMap((table) =>
  Object.entries(table.fields).map(([path, type]) => {
    const [list, inList] = path.split('[].');
    const place =
      inList === undefined ? `\`${path}\` of ${table.title}` : `\`${inList}\` in \`${list}\` of ${table.title}`;
    return {
      id: `${table.name}.${path.replace('[]', '')}`,
      section: table.section,
      sentence: `${place} is ${article(type)} ${type}.`,
      level: 'must',
      subject: 'server',
      probes: table.probes,
      ...liveOf(`${table.name}.${path}`, path),
      table,
      path,
      type,
    };
  }),
);

function liveOf(id: string, path: string): Pick<FieldClause, 'live' | 'liveType'> {
  const [liveName, difference, liveType] = [LIVE_NAMES[path], NOT_LIVE[id], LIVE_TYPES[id]];
  if (liveType !== undefined) {
    return { live: { difference: liveType.difference, inLive: 'expected' }, liveType: liveType.type };
  }
  if (LATER.includes(id)) return { live: { difference: OLDER, inLive: 'warning' } };
  if (liveName !== undefined) {
    return { live: { difference: `Live servers call the field \`${liveName}\`.`, inLive: 'expected' } };
  }
  return difference === undefined ? {} : { live: { difference, inLive: 'not shown' } };
}

function article(type: FieldType): 'a' | 'an' {
  return /^[aio]/.test(type) ? 'an' : 'a';
}
