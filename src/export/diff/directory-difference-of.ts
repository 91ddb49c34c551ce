import { storedDomain } from '../../model/domain/domain.ts';
import { isOlder } from '../../model/facts/version-order.ts';
import type { ParsedInstances, ReadInstance } from '../read/parse-instances.ts';
import type { DirectoryDifference } from '../schema/directory-difference.ts';
import { type DomainLookup, movedTo } from './moved-to.ts';

type Directory = Pick<ParsedInstances, 'generatedAt' | 'instances'>;

/**
 * The changes from one published directory to another.
 *
 * @param present the database now, which says why an instance has gone and where it has moved; null without a database.
 */
export function directoryDifferenceOf(
  before: Directory,
  after: Directory,
  present: DomainLookup | null,
): DirectoryDifference {
  const difference: DirectoryDifference = {
    from: before.generatedAt,
    to: after.generatedAt,
    listed: { before: before.instances.length, after: after.instances.length },
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
  const remaining = new Map<string, ReadInstance>(after.instances.map((instance) => [instance.domain, instance]));
  const listedAfter = new Set(remaining.keys());
  for (const old of before.instances) {
    const current = remaining.get(old.domain);
    remaining.delete(old.domain);
    if (current !== undefined) {
      compare(difference, old, current);
      continue;
    }
    const to = present === null ? null : movedTo(storedDomain(old.domain), present);
    if (to !== null && listedAfter.has(to)) difference.moved.push({ from: old.domain, to });
    else difference.gone.push({ domain: old.domain, name: old.name, because: becauseOf(old, present) });
  }
  const reached = new Set<string>(difference.moved.map(({ to }) => to));
  for (const { domain, name, version } of remaining.values()) {
    if (!reached.has(domain)) difference.new.push({ domain, name, version });
  }
  return difference;
}

function becauseOf({ domain }: ReadInstance, present: DomainLookup | null) {
  const listing = present?.listingOf(storedDomain(domain)) ?? null;
  return listing === null || listing.listed ? null : listing.because;
}

function compare(difference: DirectoryDifference, old: ReadInstance, current: ReadInstance): void {
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
