import { describe, expect, it } from 'vitest';
import { createConnectivity, type Outcome } from '../../src/http/connectivity.ts';

/** A connectivity with simulated DNS servers and a clock that the test sets. */
function setUp({ dnsAnswers = true, dnsResolves = true, hasNetwork = true } = {}) {
  const world = { now: 1_000, dnsAnswers, dnsResolves, hasNetwork, asked: 0 };
  const resolver = {
    answers: async () => {
      world.asked += 1;
      await Promise.resolve();
      return world.dnsAnswers;
    },
    resolves: async () => {
      world.asked += 1;
      return world.dnsResolves;
    },
  };
  const connectivity = createConnectivity({ resolver, clock: () => world.now, hasNetwork: () => world.hasNetwork });
  /** A visit with this start and failure code, and one request with the same failure. */
  const isHostAtFault = (failure: string | null, startedAt: number, more: Partial<Outcome> = {}) =>
    connectivity.isHostAtFault({
      host: 'server.example',
      failure,
      steps: [{ status: failure === null || failure === 'http-5xx' ? 200 : null, failure, ms: 0 }],
      startedAt,
      hasFailedBefore: false,
      ...more,
    });
  return { world, isHostAtFault };
}

const silences = ['dns-timeout', 'dns-refused', 'no-route'];
const timeouts = ['connect-timeout', 'tls-timeout', 'response-timeout', 'visit-timeout'];

describe('isHostAtFault', () => {
  it.each([
    null,
    'dns-nxdomain',
    'dns-no-address',
    'connect-refused',
    'connection-reset',
    'tls-expired',
    'http-5xx',
    'response-timeout',
  ])('blames a host for %s without asking, even when no DNS server answers', async (failure) => {
    const { world, isHostAtFault } = setUp({ dnsAnswers: false, hasNetwork: false });
    expect(await isHostAtFault(failure, 900)).toBe(true);
    expect(world.asked).toBe(0);
  });

  it('blames a host whose name servers fail only when the DNS servers can resolve other names', async () => {
    const { world, isHostAtFault } = setUp();
    expect(await isHostAtFault('dns-servfail', 900)).toBe(true);
    expect(world.asked).toBe(1);
    world.dnsResolves = false;
    expect(await isHostAtFault('dns-servfail', 1_100)).toBe(false);
    await isHostAtFault('connect-refused', 1_100);
    expect(await isHostAtFault('dns-servfail', 950)).toBe(true);
    expect(world.asked).toBe(2);
  });

  it.each(silences)('blames a host for %s when the DNS servers answer', async (failure) => {
    const { world, isHostAtFault } = setUp();
    expect(await isHostAtFault(failure, 900)).toBe(true);
    expect(world.asked).toBe(1);
  });

  it.each(silences)('blames nobody for %s when no DNS server answers', async (failure) => {
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
  ])('blames a silent host when another visit ended in %s meanwhile', async (answer) => {
    const { world, isHostAtFault } = setUp({ dnsAnswers: false });
    await isHostAtFault(answer, 900);
    expect(await isHostAtFault('dns-timeout', 950)).toBe(true);
    world.now = 2_000;
    expect(await isHostAtFault('dns-timeout', 1_500)).toBe(false);
  });

  it.each([...timeouts, 'body-timeout', 'robots-unreachable'])(
    'takes %s, before which nothing was received, neither for a sign of life nor for silence',
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

  it('does not count a visit without requests as an answer', async () => {
    const { isHostAtFault } = setUp({ dnsAnswers: false });
    expect(await isHostAtFault(null, 900, { steps: [{ status: null, failure: 'forbidden-address', ms: 1 }] })).toBe(
      true,
    );
    expect(await isHostAtFault('dns-timeout', 900)).toBe(false);
  });

  it.each([
    [
      'the time-outs after it',
      [{ status: 200, failure: null, ms: 20 }, ...Array(2).fill({ status: null, failure: 'connect-timeout', ms: 250 })],
    ],
    ['a body that never ended', [{ status: 200, failure: 'body-timeout', ms: 500 }]],
  ])('dates an answer before %s, not at the end of the visit', async (_what, steps) => {
    const { isHostAtFault } = setUp({ dnsAnswers: false });
    await isHostAtFault(null, 400, { steps });
    expect(await isHostAtFault('no-route', 501)).toBe(false);
    expect(await isHostAtFault('no-route', 499)).toBe(true);
  });

  it('blames nobody for a missing route on a machine without a network, whatever the DNS says', async () => {
    const { world, isHostAtFault } = setUp({ hasNetwork: false });
    expect(await isHostAtFault('no-route', 900)).toBe(false);
    world.hasNetwork = true;
    expect(await isHostAtFault('no-route', 900)).toBe(true);
  });

  it('blames each of 40 broken domains in a row, and of as many more, when the DNS servers answer', async () => {
    const { world, isHostAtFault } = setUp();
    for (const failure of ['dns-timeout', 'dns-refused', 'dns-servfail', 'no-route'])
      for (let i = 0; i < 40; i++) expect(await isHostAtFault(failure, world.now++)).toBe(true);
  });

  it('shares one DNS query among all waiting visits', async () => {
    const { world, isHostAtFault } = setUp();
    await Promise.all([900, 950, 990].map((startedAt) => isHostAtFault('dns-timeout', startedAt)));
    expect(world.asked).toBe(1);
  });
});

describe('hosts that time out in a row', () => {
  const inARow = async (count: number, each: (i: number) => Promise<boolean>) => {
    const blamed: boolean[] = [];
    for (let i = 0; i < count; i++) blamed.push(await each(i));
    return blamed;
  };
  const allBut = (count: number) => [...Array(count).fill(true), false];

  it.each(timeouts)('with %s are blamed up to the 49th, but not the 50th', async (failure) => {
    const { isHostAtFault } = setUp();
    expect(await inARow(50, (i) => isHostAtFault(failure, 900, { host: `h${i}.example` }))).toEqual(allBut(49));
    expect(await inARow(50, (i) => isHostAtFault(failure, 900, { host: `h${i}.example` }))).toEqual(allBut(49));
  });

  it.each<[string, (i: number) => [failure: string | null, startedAt: number, more: Partial<Outcome>]]>([
    ['are one host', () => ['connect-timeout', 900, {}]],
    ['failed before', (i) => ['connect-timeout', 900, { host: `h${i}.example`, hasFailedBefore: true }]],
    [
      'have one among them that answers',
      (i) => [i % 40 === 39 ? 'tls-expired' : 'connect-timeout', 1_000 + i, { host: `h${i}` }],
    ],
    ['began before another answered', (i) => [i === 0 ? null : 'connect-timeout', 900, { host: `h${i}.example` }]],
  ])('are all blamed when they %s', async (_what, outcome) => {
    const { isHostAtFault, world } = setUp();
    const blamed = await inARow(200, (i) => {
      world.now = Math.max(world.now, 1_000 + (i % 40 === 39 ? i : 0));
      return isHostAtFault(...outcome(i));
    });
    expect(blamed).not.toContain(false);
  });

  it('are counted even when the DNS answers', async () => {
    const { isHostAtFault } = setUp();
    const blamed = await inARow(99, (i) =>
      isHostAtFault(i % 2 === 1 ? 'dns-nxdomain' : 'connect-timeout', 900, { host: `h${i}.example` }),
    );
    expect(blamed).toEqual(allBut(98));
  });
});
