import { describe, expect, it } from 'vitest';
import { createConnectivity } from '../../src/http/connectivity.ts';

/** A connectivity whose DNS servers answer or do not, at a time that the test sets. */
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
  return { world, connectivity };
}

const silences = ['dns-timeout', 'dns-refused', 'no-route'];

describe('mayBlame', () => {
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
    const { world, connectivity } = setUp({ dnsAnswers: false, hasNetwork: false });
    expect(await connectivity.mayBlame(failure, 900)).toBe(true);
    expect(world.asked).toBe(0);
  });

  it('blames a host whose name servers fail when the DNS servers can look others up, and nobody when they cannot', async () => {
    const { world, connectivity } = setUp();
    expect(await connectivity.mayBlame('dns-servfail', 900)).toBe(true);
    expect(world.asked).toBe(1);
    world.dnsResolves = false;
    expect(await connectivity.mayBlame('dns-servfail', 1_100)).toBe(false);
    await connectivity.mayBlame('connect-refused', 1_100);
    expect(await connectivity.mayBlame('dns-servfail', 950)).toBe(true);
    expect(world.asked).toBe(2);
  });

  it.each(silences)('blames a host for %s when the DNS servers answer', async (failure) => {
    const { world, connectivity } = setUp();
    expect(await connectivity.mayBlame(failure, 900)).toBe(true);
    expect(world.asked).toBe(1);
  });

  it.each(silences)('blames nobody for %s when no DNS server answers', async (failure) => {
    const { connectivity } = setUp({ dnsAnswers: false });
    expect(await connectivity.mayBlame(failure, 900)).toBe(false);
  });

  it.each([null, 'dns-servfail'])(
    'blames a silent host when another ended in %s while it was visited',
    async (answer) => {
      const { world, connectivity } = setUp({ dnsAnswers: false });
      await connectivity.mayBlame(answer, 900);
      expect(await connectivity.mayBlame('dns-timeout', 950)).toBe(true);
      world.now = 2_000;
      expect(await connectivity.mayBlame('dns-timeout', 1_500)).toBe(false);
    },
  );

  it.each(['connect-timeout', 'visit-timeout'])(
    'takes %s neither for a sign of life nor for silence',
    async (failure) => {
      const { connectivity } = setUp({ dnsAnswers: false });
      expect(await connectivity.mayBlame(failure, 900)).toBe(true);
      expect(await connectivity.mayBlame('dns-timeout', 900)).toBe(false);
    },
  );

  it('blames nobody for a missing route on a machine without a network, whatever the DNS says', async () => {
    const { world, connectivity } = setUp({ hasNetwork: false });
    expect(await connectivity.mayBlame('no-route', 900)).toBe(false);
    world.hasNetwork = true;
    expect(await connectivity.mayBlame('no-route', 900)).toBe(true);
  });

  it('blames each of 40 broken domains in a row, and of as many more, when the DNS servers answer', async () => {
    const { world, connectivity } = setUp();
    for (const failure of ['dns-timeout', 'dns-refused', 'dns-servfail', 'no-route'])
      for (let i = 0; i < 40; i++) expect(await connectivity.mayBlame(failure, world.now++)).toBe(true);
  });

  it('asks the DNS servers once for all who wait for the answer', async () => {
    const { world, connectivity } = setUp();
    await Promise.all([900, 950, 990].map((startedAt) => connectivity.mayBlame('dns-timeout', startedAt)));
    expect(world.asked).toBe(1);
  });
});
