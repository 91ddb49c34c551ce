import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import type { Visit } from '../../src/model/visit.ts';
import type { Store } from '../../src/store/store.ts';
import { sampleHosting } from '../store/sample-hosting.ts';
import { hour, loopsVisit, recordedVisit, sampleFactsAt, unreachableVisit } from '../store/sample-visit.ts';

export const START = Date.UTC(2026, 0, 1);

/** Adds a domain if needed and records one visit. */
export function visitOnce(store: Store, domain: Domain, at: number, visit: Visit): void {
  store.domains.requestVisit([domain], at);
  const [picked] = store.due.pick(1, at, [domain]);
  if (picked === undefined) throw new Error(`${domain} could not be picked`);
  store.visits.record([recordedVisit(picked, at, visit)]);
}

const versions = ['1.0.0-beta.9', '1.0.0-beta.14', '1.0.0', '1.2.0', '2.0.0', 'nightly', null];

/** The facts of instance `number`. Most fields vary with the number, and are null for some numbers. */
export function factsOf(number: number, at: number) {
  const facts = sampleFactsAt(at);
  const version = versions[number % versions.length] ?? null;
  const yesNoOrUnknown = (offset: number) => [true, false, null][(number + offset) % 3] as boolean | null;
  return {
    ...facts,
    name: `Instance ${number}`,
    version,
    registration: { open: yesNoOrUnknown(0), mode: 'open' },
    features: { ...facts.features, forYouFeed: yesNoOrUnknown(1), atomFeeds: yesNoOrUnknown(2) },
    limits: { ...facts.limits, maxVideoSizeMB: number % 4 === 0 ? null : 10 * (number % 7) },
    usage: { ...facts.usage, users: number % 5 === 0 ? null : number * 3 },
    flags: number % 2 === 0 ? [] : facts.flags,
  };
}

export const nameOf = (number: number) =>
  storedDomain(`i${String(number).padStart(5, '0')}.s${number % 900}.example.org`);

/** Adds listed instances; every eleventh is down. */
export function fillStore(store: Store, count: number, at = START): void {
  const size = 500;
  for (let start = 0; start < count; start += size) {
    const numbers = Array.from({ length: Math.min(size, count - start) }, (_, index) => start + index);
    store.domains.enter(numbers.map(nameOf), at);
    const results = store.due.pick(size, at, numbers.map(nameOf)).map((picked) => {
      const { domain } = picked.record;
      const number = Number(domain.slice(1, 6));
      const facts = factsOf(number, at);
      const visit = loopsVisit(domain, at, { version: facts.version, facts });
      const host = { ...visit.host, hosting: sampleHosting(number) };
      return recordedVisit(picked, at, { ...visit, host });
    });
    store.visits.record(results);
    const down = numbers.filter((number) => number % 11 === 10).map(nameOf);
    const later = at + 6 * hour;
    store.domains.requestVisit(down, later);
    store.visits.record(
      store.due
        .pick(size, later, down)
        .map((picked) => recordedVisit(picked, later, unreachableVisit(picked.record.domain, later))),
    );
  }
}
