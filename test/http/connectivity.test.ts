import { describe, expect, it } from 'vitest';
import { createConnectivity } from '../../src/http/connectivity.ts';

/** A connectivity whose DNS servers answer or do not, at a time that the test sets. */
function setUp({ dnsAnswers = true, hasNetwork = true } = {}) {
  const world = { now: 1_000, dnsAnswers, hasNetwork, asked: 0 };
  const resolver = {
    answers: async () => {
      world.asked += 1;
      await Promise.resolve();
      return world.dnsAnswers;
    },
  };
  const connectivity = createConnectivity({ resolver, clock: () => world.now, hasNetwork: () => world.hasNetwork });
  return { world, connectivity };
}

const silences = ['dns-timeout', 'dns-refused', 'dns-servfail', 'no-route'];

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
    expect(await connectivity.mayBlame(failure, 'a.example', 900)).toBe(true);
    expect(world.asked).toBe(0);
  });

  it.each(silences)('blames a host for %s when the DNS servers answer', async (failure) => {
    const { world, connectivity } = setUp();
    expect(await connectivity.mayBlame(failure, 'a.example', 900)).toBe(true);
    expect(world.asked).toBe(1);
  });

  it.each(silences)('blames nobody for %s when no DNS server answers', async (failure) => {
    const { connectivity } = setUp({ dnsAnswers: false });
    expect(await connectivity.mayBlame(failure, 'a.example', 900)).toBe(false);
  });

  it('blames a silent host when another one answered while it was visited', async () => {
    const { world, connectivity } = setUp({ dnsAnswers: false });
    await connectivity.mayBlame(null, 'b.example', 900);
    expect(await connectivity.mayBlame('dns-timeout', 'a.example', 950)).toBe(true);
    world.now = 2_000;
    expect(await connectivity.mayBlame('dns-timeout', 'a.example', 1_500)).toBe(false);
  });

  it.each(['connect-timeout', 'visit-timeout'])(
    'takes %s neither for a sign of life nor for silence',
    async (failure) => {
      const { connectivity } = setUp({ dnsAnswers: false });
      expect(await connectivity.mayBlame(failure, 'a.example', 900)).toBe(true);
      expect(await connectivity.mayBlame('dns-timeout', 'b.example', 900)).toBe(false);
    },
  );

  it('blames nobody for a missing route on a machine without a network, whatever the DNS says', async () => {
    const { world, connectivity } = setUp({ hasNetwork: false });
    expect(await connectivity.mayBlame('no-route', 'a.example', 900)).toBe(false);
    world.hasNetwork = true;
    expect(await connectivity.mayBlame('no-route', 'a.example', 900)).toBe(true);
  });

  it('blames nobody once 32 different subjects in a row were silent, whatever the DNS says', async () => {
    const { connectivity } = setUp();
    for (let i = 1; i <= 31; i++) expect(await connectivity.mayBlame('dns-servfail', `h${i}.example`, 900)).toBe(true);
    expect(await connectivity.mayBlame('dns-servfail', 'h32.example', 900)).toBe(false);
  });

  it('counts many failures of one subject once', async () => {
    const { connectivity } = setUp();
    for (let i = 0; i < 100; i++) expect(await connectivity.mayBlame('dns-servfail', 'a.example', 900)).toBe(true);
  });

  it('begins to count anew with every answer', async () => {
    const { world, connectivity } = setUp();
    for (let i = 1; i <= 31; i++) await connectivity.mayBlame('dns-timeout', `h${i}.example`, 900);
    await connectivity.mayBlame('dns-nxdomain', 'answers.example', 900);
    world.now = 5_000;
    for (let i = 1; i <= 31; i++) expect(await connectivity.mayBlame('dns-timeout', `g${i}.example`, 4_000)).toBe(true);
  });

  it('asks the DNS servers once for all who wait for the answer', async () => {
    const { world, connectivity } = setUp();
    await Promise.all([1, 2, 3, 4].map((i) => connectivity.mayBlame('dns-timeout', `h${i}.example`, 900)));
    expect(world.asked).toBe(1);
  });
});
