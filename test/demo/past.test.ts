import { describe, expect, test } from 'vitest';
import { createPast } from '../../src/demo/past.ts';
import { isOlder } from '../../src/model/facts/version-order.ts';
import { loopsVisit, sampleDomains, sampleFactsAt, unreachableVisit } from '../store/sample-visit.ts';

const DAY = 86_400_000;
const STEP = 3 * DAY;
const endsAt = Date.UTC(2026, 5, 1);
const startsAt = endsAt - 370 * DAY;
const version = '1.0.0-beta.14';
const facts = { ...sampleFactsAt(endsAt), version };
const domains = sampleDomains(60);
const [answering, silent] = [domains.slice(0, 40), domains.slice(40)];
const present = [
  ...answering.map((domain) => loopsVisit(domain, endsAt, { via: 'config', version, facts })),
  ...silent.map((domain) => unreachableVisit(domain, endsAt)),
];
const past = createPast(present, { startsAt, endsAt });
const visitTimes = Array.from({ length: 124 }, (_, index) => startsAt + index * STEP);

describe('the invented past of a host', () => {
  test('is the same each time', () => {
    const again = createPast(present, { startsAt, endsAt });
    for (const domain of domains)
      expect(again.visit(domain, visitTimes[80] ?? 0)).toEqual(past.visit(domain, visitTimes[80] ?? 0));
  });

  test('ends with its present counts, and never with a newer version than its present one', () => {
    for (const domain of answering) {
      const last = past.visit(domain, endsAt);
      if (last.verdict !== 'loops') continue;
      expect(last.facts?.usage).toMatchObject({ users: facts.usage.users, posts: facts.usage.posts });
      expect(isOlder(version, last.version ?? '')).toBe(false);
    }
  });

  test('never downgrades, never loses users, and has changes and outages', () => {
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

  test('reports no fact that its version at the time did not have', () => {
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

  test('has some hosts from its start, and finds each host exactly once', () => {
    const found = visitTimes.map((at) => past.found(at - STEP, at));
    expect(past.found(0, startsAt).length).toBeGreaterThan(5);
    expect([...found.flat(), ...past.found(visitTimes.at(-1) ?? 0, endsAt)].sort()).toEqual([...domains].sort());
  });
});
