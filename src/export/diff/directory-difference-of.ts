import { isOlder } from '../../model/facts/version-order.ts';
import type { InstanceRecord } from '../../model/instance-record.ts';
import { isoTime } from '../../views/formatting.ts';
import { instanceEntryOf } from '../../views/instance-entry-of.ts';
import type { InstanceEntry } from '../../views/schema/instance-entry.ts';
import type { DirectoryDifference } from '../schema/directory-difference.ts';
import { type LaterDomains, movedTo } from './moved-to.ts';

/** The directory at one time. */
interface DirectoryAt {
  /** Epoch milliseconds. */
  at: number;
  /** Sorted by domain. */
  instances: Iterable<InstanceRecord>;
}

/** What changed in the directory between two times. Holds an instance of each at a time, and what differs. */
export function directoryDifferenceOf(
  before: DirectoryAt,
  after: DirectoryAt,
  later: LaterDomains,
): DirectoryDifference {
  const difference: DirectoryDifference = {
    from: isoTime(before.at),
    to: isoTime(after.at),
    listed: { before: 0, after: 0 },
    new: [],
    gone: [],
    moved: [],
    upgraded: [],
    downgraded: [],
    versionChanged: [],
    opened: [],
    closed: [],
    renamed: [],
    up: [],
    down: [],
  };
  for (const [one, other] of pairs(before.instances, after.instances)) {
    if (one !== null) difference.listed.before += 1;
    if (other !== null) difference.listed.after += 1;
    if (one === null && other !== null) difference.new.push(toNew(instanceEntryOf(other)));
    else if (one !== null && other === null) addGone(difference, one, later);
    else if (one !== null && other !== null) compare(difference, instanceEntryOf(one), instanceEntryOf(other));
  }
  const reached = new Set(difference.moved.map(({ to }) => to));
  return { ...difference, new: difference.new.filter(({ domain }) => !reached.has(domain)) };
}

const toNew = ({ domain, name, version }: InstanceEntry) => ({ domain, name, version });

function addGone(difference: DirectoryDifference, { domain, facts }: InstanceRecord, later: LaterDomains): void {
  const to = movedTo(domain, later);
  if (to !== null) difference.moved.push({ from: domain, to });
  else {
    const listing = later.listingOf(domain);
    const because = listing === null || listing.listed ? 'opted-out' : listing.because;
    difference.gone.push({ domain, name: facts.name, because });
  }
}

function compare(difference: DirectoryDifference, one: InstanceEntry, other: InstanceEntry): void {
  const { domain, name } = other;
  if (one.version !== other.version && one.version !== null && other.version !== null) {
    const versions = { domain, from: one.version, to: other.version };
    if (isOlder(one.version, other.version) === true) difference.upgraded.push(versions);
    else if (isOlder(other.version, one.version) === true) difference.downgraded.push(versions);
    else difference.versionChanged.push(versions);
  }
  // What was or became unknown is neither.
  if (one.registration.open === false && other.registration.open === true) difference.opened.push({ domain, name });
  if (one.registration.open === true && other.registration.open === false) difference.closed.push({ domain, name });
  if (one.name !== name) difference.renamed.push({ domain, from: one.name, to: name });
  if (one.status === 'down' && other.status === 'up') difference.up.push({ domain, name });
  if (one.status === 'up' && other.status === 'down') difference.down.push({ domain, name });
}

/** Goes along two lists that are sorted by domain: what has the same domain comes together, else each comes with null. */
function* pairs<Item extends { domain: string }>(
  before: Iterable<Item>,
  after: Iterable<Item>,
): Iterable<[Item, Item] | [Item, null] | [null, Item]> {
  using ones = iteratorOf(before);
  using others = iteratorOf(after);
  let one = ones.next();
  let other = others.next();
  while (one !== null || other !== null) {
    if (one !== null && other !== null && one.domain === other.domain) {
      yield [one, other];
      [one, other] = [ones.next(), others.next()];
    } else if (other === null || (one !== null && one.domain < other.domain)) {
      if (one !== null) yield [one, null];
      one = ones.next();
    } else {
      yield [null, other];
      other = others.next();
    }
  }
}

function iteratorOf<Item>(items: Iterable<Item>): { next(): Item | null } & Disposable {
  const iterator = items[Symbol.iterator]();
  return {
    next: () => {
      const { done, value } = iterator.next();
      return done ? null : value;
    },
    [Symbol.dispose]: () => {
      iterator.return?.();
    },
  };
}
