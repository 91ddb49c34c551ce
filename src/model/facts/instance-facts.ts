import { z } from 'zod';
import { LENGTHS } from '../text/clean-text.ts';

/** Every flag and its meaning. A flag never keeps an instance from being listed. */
export const INSTANCE_FLAGS = {
  'app-url-mismatch': 'app.url in the configuration names another host than the one that serves it',
  'version-mismatch': 'configuration and NodeInfo give different versions',
  'software-mismatch': 'configuration and NodeInfo name different software',
  'registration-mismatch': 'configuration and NodeInfo disagree on whether registration is open',
  'nodeinfo-other-host': 'the NodeInfo document is on another host',
  'names-other-host': 'the configuration and the link to NodeInfo both name the same other host',
  'nodeinfo-http-href': 'the link to NodeInfo is plain http, not https',
  'nodeinfo-unavailable': 'federation is not switched off, yet NodeInfo could not be read',
  'wrong-type-field': 'a field has the wrong type, so its value is unknown',
  unconfirmed: 'the last visit failed; the server is shown as down only if the next one fails too',
  'users-jump': 'the number of users grew or shrank more than tenfold, and by more than a thousand, within a week',
  'users-without-posts': 'more than a thousand users, but no posts',
  'counts-contradict': 'more active users than users, or more in a month than in half a year',
  'counts-random':
    'the counts jump up and down from visit to visit, as on servers that report random counts on purpose; they are left out of totals',
  'counts-absurd': 'a count is larger than any server of the service can have; all its counts are left out of totals',
  'crowded-domain': 'many listed servers share its registrable domain',
  outdated: 'its version is older than the newest one known',
  'stale-facts': 'some of the facts shown were last read long ago',
} as const;

/** An anomaly of an instance, explained in {@link INSTANCE_FLAGS}. */
export type InstanceFlag = keyof typeof INSTANCE_FLAGS;
export const InstanceFlag = z.enum(Object.keys(INSTANCE_FLAGS) as [InstanceFlag, ...InstanceFlag[]]);

/** The expected type of a field in a remote document; a value of another type is unknown. */
export type FieldType = 'text' | 'identifier' | 'flag' | 'count' | 'identifiers';

/** The units of facts: the symbol in the codebook, the word in a sentence, and the short form after a label. */
export const UNITS = {
  MB: { word: 'megabytes', short: 'MB' },
  s: { word: 'seconds', short: 'seconds' },
  characters: { word: 'characters', short: 'characters' },
  accounts: { word: 'accounts', short: 'accounts' },
  posts: { word: 'posts', short: 'posts' },
} as const;
export type Unit = keyof typeof UNITS;

/** The metadata of a fact. */
export interface FactMeta {
  /** Name shown to users. `explain` and `check` list only facts with a label. */
  readonly label?: string;
  /** What its value means, without the unit and the meaning of null. */
  readonly meaning: string;
  readonly unit?: Unit;
  readonly type?: FieldType;
  /** Maximum characters stored of a text, or of each text in a list. */
  readonly maxLength?: number;
  /** Paths in config; the path in the specification comes first. The first valid value is used. */
  readonly config?: readonly [string, ...string[]];
  /** Paths in NodeInfo, used when config has no value. */
  readonly nodeinfo?: readonly [string, ...string[]];
  /** The brand that a path stands for. If set, the fact is the brand of the first path with a valid value, not that value. */
  readonly brands?: Readonly<Record<string, string>>;
  /** The first release of Loops whose config has the field. */
  readonly since?: string;
  /** Its changes are recorded; in a `set`, the order of values does not matter. */
  readonly history?: 'value' | 'set';
  /** What `stats.json` and the API count: yes and no, each name, the minimum, median and maximum, or the sum. */
  readonly statistics?: 'answers' | 'names' | 'spread' | 'sum';
  /** How `GET /api/v1/instances` filters by it: as a value of `feature`, or by `KEY.min` and `KEY.max`. */
  readonly filter?: 'feature' | 'range';
}

/** The meaning with its unit: `Largest video accepted, in megabytes`. */
export function meaningOf({ meaning, unit, statistics }: FactMeta): string {
  if (statistics === 'sum') return `${meaning}, as reported`;
  return unit === undefined ? meaning : `${meaning}, in ${UNITS[unit].word}`;
}

/** The label with its unit: `longest video (seconds)`. */
export function labelOf({ label = '', unit, statistics }: FactMeta): string {
  return unit === undefined || statistics === 'sum' ? label : `${label} (${UNITS[unit].short})`;
}

/** Not zod's global registry: its entries go into every JSON Schema, and strict validators refuse unknown keywords. */
export const factMeta = z.registry<FactMeta>();

/** The releases of Loops that added config fields. */
const BETA_6 = '1.0.0-beta.6';
const BETA_9 = '1.0.0-beta.9';
const BETA_11 = '1.0.0-beta.11';
const BETA_13 = '1.0.0-beta.13';

/** The config fields that switch GIFs on: the name in the specification, then the names in use, which contain the provider's brand. */
const GIF_SWITCH = ['hasGifProvider', 'hasKlipy'] as const;

const text = z.string().nullable();
const flag = z.boolean().nullable();
const number = z.number().int().nonnegative().nullable();

/** An unreadable field: its path in the remote document, and the problem, such as the expected type and the value found. */
export const FieldNote = z.object({ field: z.string(), problem: z.string() });
export type FieldNote = z.infer<typeof FieldNote>;

/**
 * The table of facts that instances report (specification 2.5 and 2.7), each leaf with its {@link FactMeta}. Parsing, merging, change
 * history, storage, tables, schemas, codebook, `explain`, `check`, statistics and API filters iterate over this table, in its order.
 * Objects are always present; an unknown leaf is null, never 0 or false.
 */
export const InstanceFacts = z.object({
  name: leaf(text, {
    label: 'name',
    meaning: 'Name the instance gives itself',
    whenNull: 'when it gives none',
    type: 'text',
    maxLength: LENGTHS.name,
    config: ['app.name'],
    nodeinfo: ['metadata.nodeName'],
    since: BETA_6,
    history: 'value',
  }),
  description: leaf(text, {
    label: 'description',
    meaning: 'Description the instance gives of itself',
    whenNull: 'when it gives none',
    type: 'text',
    maxLength: LENGTHS.description,
    config: ['app.description'],
    nodeinfo: ['metadata.nodeDescription'],
    since: BETA_6,
    history: 'value',
  }),
  // Changes of software and version are recorded for every domain, with any software.
  software: leaf(z.string(), {
    meaning: 'Software id, exactly as the instance reports it',
    whenNull: null,
    type: 'identifier',
    maxLength: LENGTHS.software,
    config: ['app.software'],
    nodeinfo: ['software.name'],
    since: BETA_6,
  }),
  version: leaf(text, {
    label: 'version',
    meaning: 'Software version, as the instance reports it',
    whenNull: 'when it reports none',
    type: 'identifier',
    maxLength: LENGTHS.version,
    config: ['app.version'],
    nodeinfo: ['software.version'],
    since: BETA_6,
    statistics: 'names',
  }),
  registration: z
    .object({
      open: leaf(flag, {
        label: 'registration open',
        meaning: 'Whether registration is switched on',
        type: 'flag',
        config: ['registration'],
        nodeinfo: ['openRegistrations'],
        since: BETA_6,
        history: 'value',
        statistics: 'answers',
      }),
      mode: leaf(text, {
        label: 'registration mode',
        meaning: 'Registration mode as the instance reports it, independent of `open`',
        type: 'identifier',
        maxLength: LENGTHS.mode,
        config: ['registration_mode'],
        since: BETA_11,
        history: 'value',
        statistics: 'names',
      }),
    })
    .describe('Who can join.'),
  federation: leaf(flag, {
    label: 'federation',
    meaning: 'Whether federation is switched on',
    type: 'flag',
    config: ['federation'],
    since: BETA_6,
    history: 'value',
    statistics: 'answers',
  }),
  usage: z
    .object({
      users: count({
        label: 'users',
        meaning: 'Accounts',
        unit: 'accounts',
        nodeinfo: ['usage.users.total'],
        filter: 'range',
      }),
      activeMonth: count({
        label: 'active in a month',
        meaning: 'Accounts active in the last 30 days',
        unit: 'accounts',
        nodeinfo: ['usage.users.activeMonth'],
      }),
      activeHalfyear: count({
        label: 'active in half a year',
        meaning: 'Accounts active in the last 180 days',
        unit: 'accounts',
        nodeinfo: ['usage.users.activeHalfyear'],
      }),
      posts: count({ label: 'posts', meaning: 'Local posts', unit: 'posts', nodeinfo: ['usage.localPosts'] }),
      asOf: z
        .string()
        .meta({ format: 'date-time' })
        .nullable()
        .describe('When these counts were read; null when they never were.'),
    })
    .describe('Usage counts, as the instance reports them.'),
  features: z
    .object({
      forYouFeed: feature({
        label: 'For You feed',
        meaning: 'Whether a "for you" feed is offered',
        config: ['fyf'],
        since: BETA_6,
      }),
      pushNotifications: feature({
        label: 'push notifications',
        meaning: 'Whether push notifications are offered',
        config: ['pushNotifications'],
        since: BETA_9,
      }),
      starterKits: feature({
        label: 'starter kits',
        meaning: 'Whether starter kits are offered',
        config: ['starterKits'],
        since: BETA_11,
      }),
      atomFeeds: feature({
        label: 'Atom feeds',
        meaning: 'Whether Atom feeds are offered',
        config: ['atomFeeds'],
        since: BETA_11,
      }),
      gifProvider: feature({
        label: 'GIFs',
        meaning: 'Whether a GIF provider is set up',
        config: GIF_SWITCH,
        since: BETA_11,
      }),
    })
    .describe('What the instance offers.'),
  gifProviderBrand: leaf(text, {
    meaning: 'The brand of the GIF provider, from the name of the config field: `klipy` for `hasKlipy`',
    type: 'flag',
    config: GIF_SWITCH,
    brands: { hasKlipy: 'klipy' },
    history: 'value',
  }),
  limits: z
    .object({
      maxVideoSizeMB: limit({
        label: 'largest video',
        meaning: 'Largest video accepted',
        unit: 'MB',
        config: ['media.max_video_size'],
        since: BETA_6,
      }),
      maxVideoDurationSeconds: limit({
        label: 'longest video',
        meaning: 'Longest video accepted',
        unit: 's',
        config: ['media.max_video_duration'],
        since: BETA_6,
      }),
      videoFormats: leaf(z.array(z.string()).nullable(), {
        label: 'video formats',
        meaning: 'Video formats accepted, as the instance reports them',
        type: 'identifiers',
        maxLength: LENGTHS.format,
        config: ['media.allowed_video_formats'],
        since: BETA_6,
        history: 'value',
      }),
      maxBioLength: limit({
        label: 'longest bio',
        meaning: 'Longest profile text accepted',
        unit: 'characters',
        config: ['account.max_bio_length'],
        since: BETA_13,
      }),
    })
    .describe('What the instance allows.'),
  flags: leaf(z.array(InstanceFlag), {
    meaning: 'Anomalies of the instance; empty when there are none',
    whenNull: null,
    history: 'set',
  }),
  notes: z.array(FieldNote),
});
export type InstanceFacts = z.infer<typeof InstanceFacts>;

/** A switch in config. */
function feature(meta: Omit<FactMeta, 'type'>) {
  return leaf(flag, { type: 'flag', history: 'value', statistics: 'answers', filter: 'feature', ...meta });
}

/** A number in config. */
function limit(meta: Omit<FactMeta, 'type'>) {
  return leaf(number, { type: 'count', history: 'value', statistics: 'spread', filter: 'range', ...meta });
}

/** A count in NodeInfo, recorded as samples, not changes. */
function count(meta: Omit<FactMeta, 'type'>) {
  return leaf(number, { type: 'count', statistics: 'sum', ...meta });
}

/** @param whenNull the meaning of null; null when the fact can't be null. */
export function leaf<Schema extends z.ZodType>(
  schema: Schema,
  { whenNull = 'when unknown', ...meta }: FactMeta & { whenNull?: string | null },
): Schema {
  const described = schema.describe(`${meaningOf(meta)}${whenNull === null ? '' : `; null ${whenNull}`}.`);
  factMeta.add(described, meta);
  return described;
}
