import { createHash } from 'node:crypto';
import { deepMerge } from '../deep-merge.ts';
import { randomInteger } from '../random.ts';
import { createState, type ReferenceState, type StateOptions } from '../state.ts';
import { type Answer, discoveryPath, type HostContext, type Site } from './kind.ts';

/** The state of a Loops server in the fleet: random counts and limits, merged with `options` and the changes of the host. */
export function loopsState(host: HostContext, options: StateOptions = {}): ReferenceState {
  const { random, changes } = host;
  const total = randomInteger(random, 1, 20_000);
  const activeHalfyear = randomInteger(random, 0, total);
  const drawn: StateOptions = {
    config: {
      app: portraitOf(host.name),
      media: {
        max_video_size: 20 * randomInteger(random, 1, 10),
        max_video_duration: 30 * randomInteger(random, 1, 10),
      },
    },
    usage: {
      users: { total, activeHalfyear, activeMonth: randomInteger(random, 0, activeHalfyear) },
      localPosts: randomInteger(random, 0, 50 * total),
    },
  };
  return createState(host.url, deepMerge<StateOptions>(deepMerge<StateOptions>(drawn, options), changes));
}

/** A server with other software, identified by NodeInfo, without a config endpoint. */
export function otherSite(host: HostContext, software: string, version: string, path?: string): Site {
  return { pages: nodeInfoPages(host, nodeInfo(software, version), path) };
}

/** The pages of a server with NodeInfo: the discovery document, and the document at `path`. */
export function nodeInfoPages(host: HostContext, document: unknown, path = '/nodeinfo/2.0'): Record<string, Answer> {
  return { [discoveryPath]: discovery(['2.0', host.url + path]), [path]: json(document) };
}

export const schema = 'http://nodeinfo.diaspora.software/ns/schema';

/** A discovery document with links of the form [schema version, href]. */
export function discovery(...links: [version: string, href: string][]): Answer {
  return json({ links: links.map(([version, href]) => ({ rel: `${schema}/${version}`, href })) });
}

/** A complete NodeInfo document with `changes` to its top-level keys. */
export function nodeInfo(software: unknown, version: unknown, changes: Record<string, unknown> = {}): unknown {
  return {
    version: '2.0',
    software: { name: software, version },
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    openRegistrations: true,
    usage: { users: { total: 321, activeMonth: 45, activeHalfyear: 120 }, localPosts: 6789 },
    metadata: {},
    ...changes,
  };
}

export function json(document: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return raw(JSON.stringify(document), 'application/json; charset=utf-8', status, headers);
}

export function html(page: string, status = 200): Answer {
  return raw(page, 'text/html; charset=utf-8', status);
}

export function text(content: string, status = 200): Answer {
  return raw(content, 'text/plain; charset=utf-8', status);
}

export function raw(body: string | Buffer, type: string, status = 200, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'content-type': type, ...headers }, body };
}

export function redirect(location: string, status = 301): Answer {
  return { status, headers: { location, 'content-type': 'text/html; charset=utf-8' }, body: 'Moved.' };
}

/** What the servers of a fleet are called and say of themselves: each is for a place and a subject. */
const PLACES = [
  ...['Harbour', 'Old Town', 'Lakeside', 'Northern', 'Hillside', 'Riverbank', 'Island', 'Valley', 'Coast', 'Market'],
  ...['Garden', 'Station', 'Bridge', 'Campus', 'Village', 'Mountain'],
];
const SUBJECTS = [
  ['Clips', 'Short videos by people who live here. Be kind, credit others, and no advertising.'],
  ['Loops', 'A small server, run by volunteers and paid for by its members.'],
  ['Kitchen', 'Recipes in a minute: cooking, baking, and what went wrong.'],
  ['Skaters', 'Tricks, falls and spots. Newcomers are welcome.'],
  ['Music', 'Songs, rehearsals and street music, all recorded by those who play.'],
  ['Crafts', 'Wood, wool, clay and metal: how things are made and mended.'],
  ['Wildlife', 'Birds, foxes and the odd hedgehog, filmed without disturbing them.'],
  ['Trains', 'Everything on rails, from trams to night trains.'],
  ['Film Club', 'Short films and animation; we talk about them on Thursdays.'],
  ['Classroom', 'Teachers and pupils explain one thing in a minute.'],
  ['Cats', 'Cats. Dogs by invitation.'],
  ['Makers', 'Electronics, printing and code, with the mistakes left in.'],
] as const;

/** The name and description of a host: the same for the same host, and drawn from no random numbers, whose order the fleet promises. */
function portraitOf(host: string): { name: string; description: string } {
  const hash = createHash('sha256').update(host).digest().readUInt32BE(0);
  const [subject, description] = SUBJECTS[hash % SUBJECTS.length] ?? SUBJECTS[0];
  const place = PLACES[Math.floor(hash / SUBJECTS.length) % PLACES.length] ?? '';
  return { name: `${place} ${subject}`, description };
}
