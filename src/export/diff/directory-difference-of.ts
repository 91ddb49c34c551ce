import { isOlder } from '../../model/facts/version-order.ts';
import type { InstanceRecord } from '../../model/instance-record.ts';
import { isoTime } from '../../views/formatting.ts';
import { instanceEntryOf } from '../../views/instance-entry-of.ts';
import type { InstanceEntry } from '../../views/schema/instance-entry.ts';
import type { DirectoryDifference } from '../schema/directory-difference.ts';
import { type DomainLookup, movedTo } from './moved-to.ts';

/** The directory at one time. */
interface DirectoryAt {
  /** Epoch milliseconds. */
  at: number;
  /** Sorted by domain. */
  instances: Iterable<InstanceRecord>;
}

/** The changes of the directory between two times. Holds one instance of each side and the differences in memory. */
export function directoryDifferenceOf(
  before: DirectoryAt,
  after: DirectoryAt,
  atLaterTime: DomainLookup,
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
  for (const [old, current] of pairs(before.instances, after.instances)) {
    if (old !== null) difference.listed.before += 1;
    if (current !== null) difference.listed.after += 1;
    if (old === null && current !== null) difference.new.push(toNew(instanceEntryOf(current)));
    else if (old !== null && current === null) addGone(difference, old, atLaterTime);
    else if (old !== null && current !== null) compare(difference, instanceEntryOf(old), instanceEntryOf(current));
  }
  const reached = new Set(difference.moved.map(({ to }) => to));
  return { ...difference, new: difference.new.filter(({ domain }) => !reached.has(domain)) };
}

const toNew = ({ domain, name, version }: InstanceEntry) => ({ domain, name, version });

function addGone(difference: DirectoryDifference, { domain, facts }: InstanceRecord, atLaterTime: DomainLookup): void {
  const to = movedTo(domain, atLaterTime);
  if (to !== null) difference.moved.push({ from: domain, to });
  else {
    const listing = atLaterTime.listingOf(domain);
    const because = listing === null || listing.listed ? 'opted-out' : listing.because;
    difference.gone.push({ domain, name: facts.name, because });
  }
}

function compare(difference: DirectoryDifference, old: InstanceEntry, current: InstanceEntry): void {
  const { domain, name } = current;
  if (old.version !== current.version && old.version !== null && current.version !== null) {
    const versions = { domain, from: old.version, to: current.version };
    if (isOlder(old.version, current.version) === true) difference.upgraded.push(versions);
    else if (isOlder(current.version, old.version) === true) difference.downgraded.push(versions);
    else difference.versionChanged.push(versions);
  }
  // Changes from or to unknown are ignored.
  if (old.registration.open === false && current.registration.open === true) difference.opened.push({ domain, name });
  if (old.registration.open === true && current.registration.open === false) difference.closed.push({ domain, name });
  if (old.name !== name) difference.renamed.push({ domain, from: old.name, to: name });
  if (old.status === 'down' && current.status === 'up') difference.up.push({ domain, name });
  if (old.status === 'up' && current.status === 'down') difference.down.push({ domain, name });
}

/** Merges two lists sorted by domain into pairs with the same domain; a missing side is null. */
function* pairs<Item extends { domain: string }>(
  before: Iterable<Item>,
  after: Iterable<Item>,
): Iterable<[Item, Item] | [Item, null] | [null, Item]> {
  using befores = iteratorOf(before);
  using afters = iteratorOf(after);
  let old = befores.next();
  let current = afters.next();
  while (old !== null || current !== null) {
    if (old !== null && current !== null && old.domain === current.domain) {
      yield [old, current];
      [old, current] = [befores.next(), afters.next()];
    } else if (current === null || (old !== null && old.domain < current.domain)) {
      if (old !== null) yield [old, null];
      old = befores.next();
    } else {
      yield [null, current];
      current = afters.next();
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
