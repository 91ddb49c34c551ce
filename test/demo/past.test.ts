import { describe, expect, test } from 'vitest';
import { createPast } from '../../src/demo/past.ts';
import { isOlder } from '../../src/model/facts/version-order.ts';
import { loopsVisit, sampleDomains, sampleFactsAt, unreachableVisit } from '../store/sample-visit.ts';

const dayMs = 86_400_000;
const stepMs = 3 * dayMs;
const endsAt = Date.UTC(2026, 5, 1);
const startsAt = endsAt - 370 * dayMs;
const version = '1.0.0-beta.14';
const sample = sampleFactsAt(endsAt);
const facts = { ...sample, version, features: { ...sample.features, starterKits: true } };
const domains = sampleDomains(60);
const [answering, silent] = [domains.slice(0, 40), domains.slice(40)];
const present = [
  ...answering.map((domain) => loopsVisit(domain, endsAt, { via: 'config', version, facts })),
  ...silent.map((domain) => unreachableVisit(domain, endsAt)),
];
const past = createPast(present, { startsAt, endsAt });
/** Every third day; the last one is a day before `endsAt`. */
const visitTimes = Array.from({ length: 124 }, (_, index) => startsAt + index * stepMs);

describe('the invented past', () => {
  test('is the same each time', () => {
    const again = createPast(present, { startsAt, endsAt });
    const someTime = startsAt + 240 * dayMs;
    for (const domain of domains) expect(again.visit(domain, someTime)).toEqual(past.visit(domain, someTime));
  });

  test('ends with the present counts of each Loops server, and not with a newer version than the present one', () => {
    for (const domain of answering) {
      const last = past.visit(domain, endsAt);
      expect(last.verdict).toBe('loops');
      expect(last.facts?.usage).toMatchObject({ users: facts.usage.users, posts: facts.usage.posts });
      expect(isOlder(version, last.version ?? '')).toBe(false);
    }
  });

  test('has upgrades and outages, but no server that downgrades or loses users', () => {
    let failed = 0;
    const versions = new Set<string | null>();
    for (const domain of answering) {
      const visits = visitTimes.map((at) => past.visit(domain, at));
      const loops = visits.filter(({ verdict }) => verdict === 'loops');
      failed += visits.length - loops.length;
      for (const [index, visit] of loops.entries()) {
        versions.add(visit.version);
        const next = loops[index + 1];
        if (next === undefined) continue;
        expect(isOlder(next.version ?? '', visit.version ?? '')).toBe(false);
        expect(next.facts?.usage.users ?? 0).toBeGreaterThanOrEqual(visit.facts?.usage.users ?? 0);
      }
    }
    expect(failed).toBeGreaterThan(10);
    expect(versions.size).toBeGreaterThan(5);
  });

  test('has no fact that the version of the server at the time did not report', () => {
    // The mode of registration and starter kits came with 1.0.0-beta.11.
    const visits = answering
      .map((domain) => past.visit(domain, startsAt))
      .filter(({ version }) => version === '1.0.0-beta.6');
    expect(visits.length).toBeGreaterThan(0);
    for (const { facts } of visits)
      expect(facts).toMatchObject({ registration: { mode: null }, features: { starterKits: null } });
  });

  test('contains Loops servers among the hosts that no longer answer', () => {
    const formerLoops = silent.filter((domain) => visitTimes.some((at) => past.visit(domain, at).verdict === 'loops'));
    expect(formerLoops.length).toBeGreaterThan(3);
    expect(formerLoops.length).toBeLessThan(silent.length);
    for (const domain of silent) expect(past.visit(domain, endsAt).verdict).toBe('unreachable');
  });

  test('has some hosts from the start, and finds each host exactly once', () => {
    const found = visitTimes.map((at) => past.found(at - stepMs, at));
    expect(past.found(0, startsAt).length).toBeGreaterThan(5);
    expect([...found.flat(), ...past.found(visitTimes.at(-1) ?? 0, endsAt)].sort()).toEqual([...domains].sort());
  });
});
