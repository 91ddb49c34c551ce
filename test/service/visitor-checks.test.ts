import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createVisitorChecks, type VisitorChecksOptions } from '../../src/app/visitor-checks.ts';
import { reportView } from '../../src/check/report-view.ts';
import { createHourlyLimit } from '../../src/crawl/hourly-limit.ts';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { healthyReport } from '../check/sample-reports.ts';

const MINUTE = 60_000;
/** Admits every visitor at once: the result is the number of seconds to wait. */
const admitEveryone = async () => 0;
const domainOf = (name: string) => storedDomain(name);

/** Checks with a simulated clock; `pending` keeps every check running until `finish`. */
function openChecks({ pending = false, optedOut = [] as string[], addressOf = (name: string) => name } = {}) {
  /** `systemMs`: how much the system clock is ahead of the monotonic one. */
  const time = { ms: 0, systemMs: 0 };
  const started: Domain[] = [];
  const contactRules = new Map<Domain, (url: URL) => boolean>();
  const finish = Promise.withResolvers<void>();
  finish.promise.catch(() => {});
  const limit = createHourlyLimit(() => time.ms);
  const report = reportView(healthyReport());
  const onError = vi.fn();
  const check: VisitorChecksOptions['check'] = async (domain, { mayContact, mayConnect, signal }) => {
    started.push(domain);
    contactRules.set(domain, mayContact);
    signal.addEventListener('abort', () => finish.reject(new Error('aborted')));
    if (domain.startsWith('broken')) throw new Error('a bug');
    mayConnect(addressOf(domain));
    if (pending) await finish.promise;
    return report;
  };
  const checks = createVisitorChecks({
    ...{ check, limit, onError },
    reader: {
      optOuts: { size: 1, has: (name) => optedOut.includes(name) },
      crawler: { newestRelease: () => null },
      [Symbol.dispose]: () => {},
    },
    answerWithinMs: 5,
    now: () => time.ms + time.systemMs,
    clock: () => time.ms,
  });
  onTestFinished(() => checks[Symbol.asyncDispose]());
  return { checks, started, report, contactRules, time, limit, onError, finish: finish.resolve };
}

describe('checks for visitors', () => {
  it('keep a report for ten minutes, for every visitor', async () => {
    const { checks, started, time } = openChecks();
    const admit = vi.fn(admitEveryone);
    const domain = domainOf('loops.example');
    expect(await checks.check(domain, admit)).toMatchObject({ kind: 'done', againAt: 10 * MINUTE });
    time.ms = 9 * MINUTE;
    expect(await checks.check(domain, admit)).toMatchObject({ kind: 'done', againAt: 10 * MINUTE });
    expect([started.length, admit.mock.calls.length]).toEqual([1, 1]);
    time.ms = 11 * MINUTE;
    expect(await checks.check(domain, admit)).toMatchObject({ kind: 'done', againAt: 21 * MINUTE });
    expect(started).toHaveLength(2);
  });

  it('start once for several visitors, and say that they are running', async () => {
    const { checks, started, finish } = openChecks({ pending: true });
    const domain = domainOf('loops.example');
    expect(await Promise.all([checks.check(domain, admitEveryone), checks.check(domain, admitEveryone)])).toEqual([
      { kind: 'running', seconds: 0 },
      { kind: 'running', seconds: 0 },
    ]);
    finish();
    expect(await checks.check(domain, admitEveryone)).toMatchObject({ kind: 'done' });
    expect(started).toEqual([domain]);
  });

  it('run three at once; others wait, and are not counted against any limit', async () => {
    const { checks, started, finish } = openChecks({ pending: true });
    const admit = vi.fn(admitEveryone);
    for (const name of ['a.example', 'b.example', 'c.example']) await checks.check(domainOf(name), admit);
    expect(await checks.check(domainOf('d.example'), admit)).toEqual({ kind: 'waiting' });
    expect([started.length, admit.mock.calls.length]).toEqual([3, 3]);
    finish();
    await expect.poll(async () => checks.check(domainOf('d.example'), admit)).toMatchObject({ kind: 'done' });
  });

  it('are refused to a visitor above the limit, before anything is contacted', async () => {
    const { checks, started } = openChecks();
    expect(await checks.check(domainOf('loops.example'), async () => 90)).toEqual({
      ...{ kind: 'limited', by: 'client', retryAfterSeconds: 90 },
    });
    expect(started).toEqual([]);
  });

  it('are limited to six an hour for one host, under all its names together', async () => {
    const { checks, started, time } = openChecks();
    const names = ['www.loops.example', 'loops.example', ...[1, 2, 3, 4].map((port) => `loops.example:900${port}`)];
    for (const name of names) await checks.check(domainOf(name), admitEveryone);
    expect(started).toHaveLength(6);
    const seventh = domainOf('loops.example:9005');
    expect(await checks.check(seventh, admitEveryone)).toMatchObject({ kind: 'limited', by: 'host' });
    time.ms = 61 * MINUTE;
    expect(await checks.check(seventh, admitEveryone)).toMatchObject({ kind: 'done' });
  });

  it('share the limit of a registrable domain with submissions and the third-party hosts of visits', async () => {
    const { checks, started, limit } = openChecks();
    for (let count = 0; count < 9; count++) limit.count([{ key: 'domain victim.org', limit: 10 }]);
    expect(await checks.check(domainOf('a.victim.org'), admitEveryone)).toMatchObject({ kind: 'done' });
    expect(await checks.check(domainOf('b.victim.org'), admitEveryone)).toMatchObject({ kind: 'limited', by: 'host' });
    expect(started).toHaveLength(1);
    expect(limit.count([{ key: 'domain victim.org', limit: 10 }])).toBe(false);
  });

  it('are limited to ten an hour at one address, whatever names lead to it', async () => {
    const { checks, report, time } = openChecks({
      addressOf: (name) => (name.startsWith('v6') ? `2001:db8::${name.slice(2, -4)}` : '192.0.2.1'),
    });
    for (const prefix of ['v6', 'v4']) {
      for (let count = 0; count < 10; count++)
        expect(await checks.check(domainOf(`${prefix}${count}.org`), admitEveryone)).toMatchObject({ report });
      const refused = domainOf(`${prefix}99.org`);
      const limited = { kind: 'limited', by: 'host', retryAfterSeconds: 3_600 };
      expect(await checks.check(refused, admitEveryone)).toEqual(limited);
    }
    time.ms = 61 * MINUTE;
    expect(await checks.check(domainOf('v499.org'), admitEveryone)).toMatchObject({ kind: 'done' });
  });

  it('end on time when the system clock is set back', async () => {
    const { checks, started, time } = openChecks();
    await checks.check(domainOf('loops.example'), admitEveryone);
    time.systemMs = -60 * MINUTE;
    time.ms = 11 * MINUTE;
    await checks.check(domainOf('loops.example'), admitEveryone);
    expect(started).toHaveLength(2);
  });

  it('are at most 120 an hour, so that they cannot be used against one address', async () => {
    const { checks, started } = openChecks();
    for (let count = 0; count < 121; count++) await checks.check(domainOf(`host${count}.org`), admitEveryone);
    expect(started).toHaveLength(120);
    expect(await checks.check(domainOf('last.org'), admitEveryone)).toMatchObject({ kind: 'limited', by: 'all' });
  });

  it('are refused for a host that has opted out, and never contact one', async () => {
    const { checks, started, contactRules } = openChecks({ optedOut: ['gone.example', 'cdn.example'] });
    expect(await checks.check(domainOf('gone.example'), admitEveryone)).toEqual({ kind: 'opted-out' });
    expect(started).toEqual([]);
    await checks.check(domainOf('loops.example'), admitEveryone);
    expect(contactRules.get(domainOf('loops.example'))?.(new URL('https://cdn.example/nodeinfo'))).toBe(false);
  });

  it('show no report that names a host that has opted out, not even one made before; what the server says of itself stays', async () => {
    const optedOut: string[] = [];
    const { checks, report } = openChecks({ optedOut });
    const domain = domainOf('loops.example');
    report.groups[0]?.findings[0]?.detail.push('The configuration redirects to https://gone.org/api/v1/config.');
    report.facts?.rows.push(['Description', 'We moved away from left.org.']);
    expect(await checks.check(domain, admitEveryone)).toMatchObject({ kind: 'done' });
    optedOut.push('left.org');
    expect(await checks.check(domain, admitEveryone)).toMatchObject({ kind: 'done' });
    optedOut.push('gone.org');
    expect(await checks.check(domain, admitEveryone)).toEqual({ kind: 'opted-out' });
    expect(await checks.check(domainOf('other.example'), admitEveryone)).toEqual({ kind: 'opted-out' });
  });

  it('contact at most three other sites each, and each within its hourly limit', async () => {
    const { checks, contactRules, limit } = openChecks();
    const domain = domainOf('loops.example');
    await checks.check(domain, admitEveryone);
    const mayContact = contactRules.get(domain) ?? expect.unreachable();
    for (let count = 0; count < 10; count++) limit.count([{ key: 'domain victim.org', limit: 10 }]);
    expect(mayContact(new URL('https://loops.example/'))).toBe(true);
    expect(mayContact(new URL('http://www.loops.example./'))).toBe(true);
    expect(mayContact(new URL('https://victim.org/'))).toBe(false);
    expect(mayContact(new URL('https://one.org/'))).toBe(true);
    expect(mayContact(new URL('https://two.org/a'))).toBe(true);
    expect(mayContact(new URL('https://two.org/b'))).toBe(true);
    // victim.org, although refused, was the first of the three sites.
    expect(mayContact(new URL('https://three.org/'))).toBe(false);
  });

  it('that fail because of a bug are reported as failed, and not kept', async () => {
    const { checks, started, onError } = openChecks();
    expect(await checks.check(domainOf('broken.org'), admitEveryone)).toEqual({ kind: 'failed' });
    expect(await checks.check(domainOf('broken.org'), admitEveryone)).toEqual({ kind: 'failed' });
    expect([started.length, onError.mock.calls.length]).toEqual([2, 2]);
  });
});
