import { describe, expect, it } from 'vitest';
import { createConnectivity, type HostContact } from '../../src/http/connectivity.ts';

/**
 * A connectivity check with simulated DNS servers and a clock that the test sets, at first to 1,000. An answer at that time is
 * evidence for visits that started before it, and not for later ones.
 */
function setUp({ dnsAnswers = true, dnsResolves = true, hasNetwork = true } = {}) {
  const network = { now: 1_000, dnsAnswers, dnsResolves, hasNetwork, queries: 0 };
  const resolver = {
    isAnswering: async () => {
      network.queries += 1;
      await Promise.resolve();
      return network.dnsAnswers;
    },
    canResolve: async () => {
      network.queries += 1;
      return network.dnsResolves;
    },
  };
  const connectivity = createConnectivity({ resolver, clock: () => network.now, hasNetwork: () => network.hasNetwork });
  /** Reports a visit that sent one request, which ended with this failure. */
  const isHostAtFault = (failure: string | null, startedAt: number, more: Partial<HostContact> = {}) =>
    connectivity.isHostAtFault({
      host: 'server.example',
      failure,
      steps: [{ status: failure === null || failure === 'http-5xx' ? 200 : null, failure, ms: 0 }],
      startedAt,
      hasFailedBefore: false,
      ...more,
    });
  return { network, isHostAtFault };
}

const dnsFailures = ['dns-timeout', 'dns-refused', 'no-route'];
const timeouts = ['connect-timeout', 'tls-timeout', 'response-timeout', 'visit-timeout'];

describe('isHostAtFault', () => {
  it.each([
    null,
    'dns-no-address',
    'connect-refused',
    'connection-reset',
    'tls-expired',
    'http-5xx',
    'response-timeout',
  ])('blames a host for %s without a DNS query, even when no DNS server responds', async (failure) => {
    const { network, isHostAtFault } = setUp({ dnsAnswers: false, hasNetwork: false });
    expect(await isHostAtFault(failure, 900)).toBe(true);
    expect(network.queries).toBe(0);
  });

  it('blames a host for dns-servfail only if the DNS servers resolve other names', async () => {
    const { network, isHostAtFault } = setUp();
    expect(await isHostAtFault('dns-servfail', 900)).toBe(true);
    expect(network.queries).toBe(1);
    network.dnsResolves = false;
    expect(await isHostAtFault('dns-servfail', 1_100)).toBe(false);
    await isHostAtFault('connect-refused', 1_100);
    expect(await isHostAtFault('dns-servfail', 950)).toBe(true);
    expect(network.queries).toBe(2);
  });

  it('blames a host for dns-nxdomain only if the DNS servers resolve other names, or a host has answered meanwhile', async () => {
    const { network, isHostAtFault } = setUp({ dnsResolves: false });
    expect(await isHostAtFault('dns-nxdomain', 900)).toBe(false);
    expect(await isHostAtFault('dns-nxdomain', 950)).toBe(false);
    await isHostAtFault('connect-refused', 950);
    network.queries = 0;
    expect(await isHostAtFault('dns-nxdomain', 990)).toBe(true);
    expect(network.queries).toBe(0);
    network.dnsResolves = true;
    expect(await isHostAtFault('dns-nxdomain', 1_100)).toBe(true);
    expect(network.queries).toBe(1);
  });

  it.each(dnsFailures)('blames a host for %s if the DNS servers respond', async (failure) => {
    const { network, isHostAtFault } = setUp();
    expect(await isHostAtFault(failure, 900)).toBe(true);
    expect(network.queries).toBe(1);
  });

  it.each(dnsFailures)('does not blame a host for %s if no DNS server responds', async (failure) => {
    const { isHostAtFault } = setUp({ dnsAnswers: false });
    expect(await isHostAtFault(failure, 900)).toBe(false);
  });

  it.each([
    null,
    'dns-servfail',
    'dns-nxdomain',
    'connect-refused',
    'connection-reset',
    'tls-wrong-name',
    'invalid-http',
    'http-5xx',
  ])('blames a host for dns-timeout if another visit ended in %s meanwhile', async (answer) => {
    const { network, isHostAtFault } = setUp({ dnsAnswers: false });
    await isHostAtFault(answer, 900);
    expect(await isHostAtFault('dns-timeout', 950)).toBe(true);
    network.now = 2_000;
    expect(await isHostAtFault('dns-timeout', 1_500)).toBe(false);
  });

  it.each([...timeouts, 'body-timeout', 'robots-unreachable'])(
    'blames a host for %s, which is no evidence that the network works',
    async (failure) => {
      const { isHostAtFault } = setUp({ dnsAnswers: false });
      const steps = [
        { status: null, failure: null, ms: 3 },
        { status: null, failure, ms: 5_000 },
      ];
      expect(await isHostAtFault(failure, 900, { steps })).toBe(true);
      expect(await isHostAtFault('dns-timeout', 900)).toBe(false);
    },
  );

  it('does not count a visit that connected to no address as evidence that the network works', async () => {
    const { isHostAtFault } = setUp({ dnsAnswers: false });
    expect(await isHostAtFault(null, 900, { steps: [{ status: null, failure: 'forbidden-address', ms: 1 }] })).toBe(
      true,
    );
    expect(await isHostAtFault('dns-timeout', 900)).toBe(false);
  });

  it.each([
    [
      'the time-outs that followed it',
      [{ status: 200, failure: null, ms: 20 }, ...Array(2).fill({ status: null, failure: 'connect-timeout', ms: 250 })],
    ],
    ['a body that never ended', [{ status: 200, failure: 'body-timeout', ms: 500 }]],
  ])('dates a response before %s, not at the end of the visit', async (_what, steps) => {
    const { isHostAtFault } = setUp({ dnsAnswers: false });
    // The visit ends at 1,000; the response came at 500.
    await isHostAtFault(null, 400, { steps });
    expect(await isHostAtFault('no-route', 501)).toBe(false);
    expect(await isHostAtFault('no-route', 499)).toBe(true);
  });

  it('does not blame a host for a missing route on a machine without a network, even if the DNS servers respond', async () => {
    const { network, isHostAtFault } = setUp({ hasNetwork: false });
    expect(await isHostAtFault('no-route', 900)).toBe(false);
    network.hasNetwork = true;
    expect(await isHostAtFault('no-route', 900)).toBe(true);
  });

  it('blames each of 40 hosts in a row for every DNS or route failure if the DNS servers respond', async () => {
    const { network, isHostAtFault } = setUp();
    for (const failure of ['dns-timeout', 'dns-refused', 'dns-servfail', 'no-route'])
      for (let i = 0; i < 40; i++) expect(await isHostAtFault(failure, network.now++)).toBe(true);
  });

  it('shares one DNS query among all waiting visits', async () => {
    const { network, isHostAtFault } = setUp();
    await Promise.all([900, 950, 990].map((startedAt) => isHostAtFault('dns-timeout', startedAt)));
    expect(network.queries).toBe(1);
  });
});

describe('time-outs in a row', () => {
  const repeat = async (count: number, each: (i: number) => Promise<boolean>) => {
    const blamed: boolean[] = [];
    for (let i = 0; i < count; i++) blamed.push(await each(i));
    return blamed;
  };
  const blamedUpTo = (count: number) => [...Array(count).fill(true), false];

  it.each(timeouts)('of %s are blamed on the hosts up to the 49th, but not the 50th', async (failure) => {
    const { isHostAtFault } = setUp();
    expect(await repeat(50, (i) => isHostAtFault(failure, 900, { host: `h${i}.example` }))).toEqual(blamedUpTo(49));
    // Then the count starts again.
    expect(await repeat(50, (i) => isHostAtFault(failure, 900, { host: `h${i}.example` }))).toEqual(blamedUpTo(49));
  });

  /** Every 40th visit gets a response, in the case in which responses interrupt the time-outs. */
  const isInterruption = (i: number) => i % 40 === 39;

  it.each<[string, (i: number) => [failure: string | null, startedAt: number, more: Partial<HostContact>]]>([
    ['concern a single host', () => ['connect-timeout', 900, {}]],
    [
      'concern hosts that failed before',
      (i) => ['connect-timeout', 900, { host: `h${i}.example`, hasFailedBefore: true }],
    ],
    [
      'are interrupted by a response',
      (i) => [isInterruption(i) ? 'tls-expired' : 'connect-timeout', 1_000 + i, { host: `h${i}` }],
    ],
    [
      'began before another host responded',
      (i) => [i === 0 ? null : 'connect-timeout', 900, { host: `h${i}.example` }],
    ],
  ])('are all blamed on the hosts if they %s', async (_what, outcome) => {
    const { isHostAtFault, network } = setUp();
    const blamed = await repeat(200, (i) => {
      // A response must not come before the start of its visit.
      if (isInterruption(i)) network.now = 1_000 + i;
      return isHostAtFault(...outcome(i));
    });
    expect(blamed).not.toContain(false);
  });

  it('are counted even if DNS servers answer in between', async () => {
    const { isHostAtFault } = setUp();
    // Every other visit times out; the last one is the 50th.
    const blamed = await repeat(99, (i) =>
      isHostAtFault(i % 2 === 1 ? 'dns-nxdomain' : 'connect-timeout', 900, { host: `h${i}.example` }),
    );
    expect(blamed).toEqual(blamedUpTo(98));
  });
});
