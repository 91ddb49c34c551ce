import { asObject, property } from '../../identify/field-reader.ts';
import { listItems, showText, showValue } from '../rule.ts';

/** A schema violation; `path` is empty for the document itself. */
export interface Violation {
  path: string;
  kind: 'missing' | 'type' | 'empty' | 'other';
  /** The predicate of a sentence about the path: `is "2.1", not "2.0"`. */
  problem: string;
}

type Shape =
  | { is: 'object'; required: readonly string[]; members: Readonly<Record<string, Shape>> }
  | { is: 'free object' }
  | { is: 'list'; minLength: number; words: readonly string[] }
  | { is: 'text'; only?: string; pattern?: RegExp }
  | { is: 'flag' }
  | { is: 'count' };

const count: Shape = { is: 'count' };
const PROTOCOLS = 'activitypub buddycloud dfrn diaspora libertree ostatus pumpio tent xmpp zot'.split(' ');
const INBOUND = 'atom1.0 gnusocial imap pnut pop3 pumpio rss2.0 twitter'.split(' ');
const OUTBOUND = [
  'atom1.0 blogger buddycloud diaspora dreamwidth drupal facebook friendica gnusocial google insanejournal libertree linkedin',
  'livejournal mediagoblin myspace pinterest pnut posterous pumpio redmatrix rss2.0 smtp tent tumblr twitter wordpress xmpp',
].flatMap((words) => words.split(' '));

/** NodeInfo 2.0, http://nodeinfo.diaspora.software/ns/schema/2.0. */
const NODEINFO_2_0: Shape = {
  is: 'object',
  required: ['version', 'software', 'protocols', 'services', 'openRegistrations', 'usage', 'metadata'],
  members: {
    version: { is: 'text', only: '2.0' },
    software: {
      is: 'object',
      required: ['name', 'version'],
      members: { name: { is: 'text', pattern: /^[a-z0-9-]+$/ }, version: { is: 'text' } },
    },
    protocols: { is: 'list', minLength: 1, words: PROTOCOLS },
    services: {
      is: 'object',
      required: ['inbound', 'outbound'],
      members: {
        inbound: { is: 'list', minLength: 0, words: INBOUND },
        outbound: { is: 'list', minLength: 0, words: OUTBOUND },
      },
    },
    openRegistrations: { is: 'flag' },
    usage: {
      is: 'object',
      required: ['users'],
      members: {
        users: { is: 'object', required: [], members: { total: count, activeHalfyear: count, activeMonth: count } },
        localPosts: count,
        localComments: count,
      },
    },
    metadata: { is: 'free object' },
  },
};

/** All violations of the schema of NodeInfo 2.0, in its order; unknown members of an object come after its known ones. */
export function nodeInfoViolations(document: unknown): Violation[] {
  return violations(document, NODEINFO_2_0, '');
}

export function describeViolation({ path, problem }: Violation): string {
  return path === '' ? `the document ${problem}` : `${path} ${problem}`;
}

function violations(value: unknown, shape: Shape, path: string): Violation[] {
  const violation = (kind: Violation['kind'], problem: string): Violation[] => [{ path, kind, problem }];
  const wrongType = (expected: string) => violation('type', `is ${showValue(value)}, not ${expected}`);
  switch (shape.is) {
    case 'object':
      return asObject(value) === null ? wrongType('an object') : memberViolations(value, shape, path);
    case 'free object':
      return asObject(value) === null ? wrongType('an object') : [];
    case 'list': {
      if (!Array.isArray(value)) return wrongType('a list');
      if (value.length < shape.minLength) return violation('empty', 'is an empty list');
      const unknown = value.filter((item) => typeof item !== 'string' || !shape.words.includes(item));
      return unknown.length === 0
        ? []
        : violation('other', `has ${listItems(unknown.map(showValue))}, which the schema does not define`);
    }
    case 'text':
      if (typeof value !== 'string') return wrongType('a string');
      if (shape.only !== undefined && value !== shape.only)
        return violation('other', `is ${showValue(value)}, not ${showValue(shape.only)}`);
      return shape.pattern?.test(value) === false
        ? violation('other', `is ${showValue(value)}, which must consist of lower-case letters, digits and hyphens`)
        : [];
    case 'flag':
      return typeof value === 'boolean' ? [] : wrongType('true or false');
    case 'count':
      return Number.isInteger(value) && (value as number) >= 0 ? [] : wrongType('a non-negative integer');
  }
}

function memberViolations(value: unknown, shape: Extract<Shape, { is: 'object' }>, path: string): Violation[] {
  const object = asObject(value) ?? {};
  const at = (key: string) => (path === '' ? key : `${path}.${key}`);
  const ofMembers = Object.entries(shape.members).flatMap(([key, member]): Violation[] => {
    const inner = property(object, key);
    if (inner === undefined)
      return shape.required.includes(key) ? [{ path: at(key), kind: 'missing', problem: 'is missing' }] : [];
    if (inner === null) return [{ path: at(key), kind: 'missing', problem: 'is null' }];
    return violations(inner, member, at(key));
  });
  const unknownKeys = Object.keys(object).filter((key) => !Object.hasOwn(shape.members, key));
  const problem = `has ${listItems(unknownKeys.map(showText))}, which the schema does not allow there`;
  return unknownKeys.length === 0 ? ofMembers : [...ofMembers, { path, kind: 'other', problem }];
}
