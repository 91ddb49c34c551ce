import { z } from 'zod';
import { type Evidence, isObject, jsonObject, Undecided, valueAt } from '../evidence.ts';
import { headerOf } from '../exchange.ts';
import type { ProbeId } from '../probes/probe-ids.ts';
import { eachOf, type Judge, type Judgements, joinProblems, show } from './judge.ts';

const TOKENS = ['app-token', 'token'] as const;

/** A field of the returned app repeats a field of the registration request. */
function repeatsValue(field: string, sentField: string): Judge {
  return (evidence) => {
    const request: unknown = JSON.parse(evidence.exchange('apps').request.body ?? '{}');
    const value = evidence.field('apps', field);
    // In the profile `live`, the redirect URI is sent in a list.
    return [valueAt(request, sentField)].flat().includes(value) ? null : `it is ${show(value)}`;
  };
}

function equals(probe: ProbeId, path: string, expected: unknown): Judge {
  return (evidence) => {
    const value = evidence.field(probe, path);
    return value === expected ? null : `it is ${show(value)}`;
  };
}

/** Judges those values at these paths that have the type; undecided if none has it. */
function eachOfType(
  type: 'string' | 'number' | 'boolean',
  isRight: (value: unknown) => boolean,
  probe: ProbeId,
  paths: readonly string[],
): Judge {
  return (evidence) => {
    const values = paths
      .map((path) => [path, valueAt(evidence.json(probe), path)] as const)
      .filter(([, value]) => typeof value === type);
    if (values.length === 0) throw new Undecided('skipped', `there is no ${type} at ${paths.join(', ')}`);
    const wrong = values.filter(([, value]) => !isRight(value));
    return joinProblems(...wrong.map(([path, value]) => `${path} is ${show(value)}`));
  };
}

const notNegative = eachOfType.bind(null, 'number', (value) => Number(value) >= 0);
const areWebUrls = eachOfType.bind(null, 'string', isWebUrl);
const areFalse = eachOfType.bind(null, 'boolean', (value) => value === false);

const Iso8601 = z.iso.datetime({ offset: true });

function isTime(probe: ProbeId, path: string): Judge {
  return (evidence) => {
    const value = evidence.string(probe, path);
    // The standard also allows a time without seconds, a comma, and an offset of hours.
    const normalised = value
      .replace(/^(.{16})(?=[Z+-])/, '$1:00')
      .replace(',', '.')
      .replace(/T(.+[+-]\d\d)$/, 'T$1:00');
    return Iso8601.safeParse(normalised).success ? null : `it is ${show(value)}`;
  };
}

function isWebUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\/[^/]/i.test(value) && URL.canParse(value);
}

/** Seconds by which the clock of a server may differ from ours. */
const CLOCK_SKEW = 86_400;

const createdInSeconds = eachOf(TOKENS, (probe, evidence) => {
  const value = evidence.number(probe, 'created_at');
  const now = Date.parse(evidence.exchange(probe).startedAt) / 1_000;
  return Math.abs(value - now) < CLOCK_SKEW ? null : `it is ${value}, and the time is ${Math.floor(now)}`;
});

const createdByDate = eachOf(TOKENS, (probe, evidence) => {
  const value = evidence.number(probe, 'created_at');
  const date = headerOf(evidence.answer(probe), 'date') ?? 'missing';
  if (Number.isNaN(Date.parse(date))) throw new Undecided('not shown', `the header Date is ${date}`);
  return Math.abs(value - Date.parse(date) / 1_000) < 60 ? null : `it is ${value}, and the Date is ${date}`;
});

/** Scopes separated by single spaces (RFC 6749 section 3.3). */
const SCOPES = /^[!#-[\]-~]+(?: [!#-[\]-~]+)*$/;

export const RESOURCE_JUDGEMENTS: Judgements = {
  'app.name.given': repeatsValue('name', 'client_name'),
  'app.website.given': repeatsValue('website', 'website'),
  'app.redirect_uri.given': repeatsValue('redirect_uri', 'redirect_uris'),
  'app.credentials.non-empty': (evidence, profile) => {
    const names = ['client_id', 'client_secret', ...(profile === 'live' ? [] : ['id'])];
    const values = names.map((path) => evidence.field('apps', path));
    if (values.includes('')) return 'one of them is empty';
    return values[0] === values[1] ? 'the secret is the client id' : null;
  },

  'token.token_type.bearer': eachOf(TOKENS, (probe, evidence) =>
    equals(probe, 'token_type', 'Bearer')(evidence, 'spec'),
  ),
  'token.scope.format': eachOf(TOKENS, (probe, evidence) => {
    const value = evidence.string(probe, 'scope');
    return SCOPES.test(value) ? null : `it is ${show(value)}`;
  }),
  'token.created_at.seconds': createdInSeconds,
  'token.created_at.clock': createdByDate,
  'token.access_token.characters': eachOf(TOKENS, (probe, evidence) =>
    /^[\w.~+/-]+=*$/.test(evidence.string(probe, 'access_token')) ? null : 'it is empty or has other characters',
  ),

  'account.wrapped': (evidence) => {
    const keys = Object.keys(evidence.json('account'));
    if (keys.join() !== 'data') return `the keys are ${show(keys)}`;
    return isObject(evidence.field('account', 'data')) ? null : '`data` is not an object';
  },
  'account.is_owner.self': equals('account', 'data.is_owner', true),
  'account.local.self': equals('account', 'data.local', true),
  'account.remote_url.local': (evidence) => {
    requireLocal(evidence);
    return equals('account', 'data.remote_url', null)(evidence, 'spec');
  },
  'account.is_blocking.self': equals('account', 'data.is_blocking', null),
  'account.created_at.iso-8601': isTime('account', 'data.created_at'),
  'account.avatar.url': areWebUrls('account', ['data.avatar']),
  'account.url.on-server': (evidence) => {
    requireLocal(evidence);
    return onServer(evidence, evidence.string('account', 'data.url'));
  },
  'account.bio.length': (evidence) => {
    const maximum = evidence.number('config', 'account.max_bio_length');
    const length = [...evidence.string('account', 'data.bio')].length;
    return length <= maximum ? null : `it has ${length} characters, and the maximum is ${maximum}`;
  },
  'account.counts': notNegative(
    'account',
    ['post_count', 'follower_count', 'following_count', 'likes_count'].map((field) => `data.${field}`),
  ),

  'video.bare': (evidence, profile) => {
    // Throws when there is no JSON object.
    evidence.json('video');
    const video = jsonObject(evidence.answer('video'));
    const isWrapped = isObject(video?.data) && video.id === undefined;
    if (profile === 'live') return isWrapped ? null : 'it is not in `data`';
    return isWrapped ? 'it is in `data`' : null;
  },
  'video.id.decimal': (evidence) => {
    const id = evidence.string('video', 'id');
    return /^\d+$/.test(id) ? null : `it is ${show(id)}`;
  },
  'video.url.web': areWebUrls('video', ['url', 'media.thumbnail', 'media.src_url', 'media.hls_url', 'account.avatar']),
  'video.shortcode.in-url': (evidence) => {
    const [code, url] = [evidence.string('video', 'shortcode'), evidence.string('video', 'url')];
    const last = url.split('/').at(-1);
    return code !== '' && (last === code || last === encodeURIComponent(code))
      ? null
      : `the code is ${show(code)}, the URL ${show(url)}`;
  },
  'video.guest': areFalse('video', ['is_owner', 'has_liked', 'has_bookmarked']),
  'video.is_owner.token': (evidence) => {
    const [author, user] = [evidence.string('video-with-token', 'account.id'), evidence.string('account', 'data.id')];
    const isOwner = evidence.field('video-with-token', 'is_owner');
    return isOwner === (author === user) ? null : `it is ${show(isOwner)}, the author ${author}, the user ${user}`;
  },
  'video.created_at.iso-8601': isTime('video', 'created_at'),
  'video.numbers': notNegative('video', [
    'likes',
    'shares',
    'comments',
    'bookmarks',
    'media.duration',
    'media.width',
    'media.height',
    'audio.count',
  ]),

  'config.app.url.base': (evidence) => {
    const url = evidence.string('config', 'app.url');
    const { base } = evidence.options;
    const isSame = isWebUrl(url) && trimmed(URL.parse(url)?.href) === trimmed(URL.parse(base)?.href);
    return isSame ? null : `it is ${show(url)}, and the base URL is ${base}`;
  },
  'config.app.software.loops': equals('config', 'app.software', 'loops'),
  'config.app.version.non-empty': nonEmpty('config', 'app.version'),
  'config.registration_mode.non-empty': nonEmpty('config', 'registration_mode'),

  'discovery.schema-2.0': (evidence) => {
    if (linkOf(evidence) !== null) return null;
    const links = evidence.field('discovery', 'links');
    return `the links are ${show(Array.isArray(links) ? links.map((link: unknown) => valueAt(link, 'rel')) : links)}`;
  },
  'discovery.href.url': (evidence) => {
    const link = linkOf(evidence);
    if (link === null) throw new Undecided('skipped', 'there is no 2.0 link');
    return isWebUrl(link.href) ? null : `it is ${show(link.href)}`;
  },

  'nodeinfo.version.2.0': equals('nodeinfo', 'version', '2.0'),
  'nodeinfo.software.name.loops': equals('nodeinfo', 'software.name', 'loops'),
  'nodeinfo.protocols.activitypub': (evidence) => {
    const protocols = evidence.field('nodeinfo', 'protocols');
    return Array.isArray(protocols) && protocols.includes('activitypub') ? null : `they are ${show(protocols)}`;
  },
  'nodeinfo.usage.counts': notNegative('nodeinfo', ['usage.users.total', 'usage.localPosts']),
  'nodeinfo.openRegistrations.same': (evidence) => {
    const open = evidence.field('nodeinfo', 'openRegistrations');
    const registration = evidence.field('config', 'registration');
    return open === registration ? null : `NodeInfo says ${show(open)}, the configuration ${show(registration)}`;
  },
};

function nonEmpty(probe: ProbeId, path: string): Judge {
  return (evidence) => (evidence.string(probe, path).trim() === '' ? 'it is empty' : null);
}

function requireLocal(evidence: Evidence): void {
  if (evidence.field('account', 'data.local') !== true) {
    throw new Undecided('not shown', '`local` is not true');
  }
}

function onServer(evidence: Evidence, url: string): string | null {
  return URL.parse(url)?.host === URL.parse(evidence.options.base)?.host ? null : `it is ${show(url)}`;
}

/** Without slashes at the end. */
function trimmed(url: string | undefined): string | undefined {
  return url?.replace(/\/+$/, '');
}

/** The discovery link of schema 2.0; null when there is none. */
export function linkOf(evidence: Evidence): { href: unknown } | null {
  const links = evidence.field('discovery', 'links');
  if (!Array.isArray(links)) throw new Undecided('skipped', '`links` is not a list');
  const link = links.find((one: unknown) => {
    const rel = valueAt(one, 'rel');
    return typeof rel === 'string' && rel.endsWith('/schema/2.0');
  });
  return link === undefined ? null : { href: valueAt(link, 'href') };
}
