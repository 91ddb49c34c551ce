import { describe, expect, it } from 'vitest';
import { cacheResolutions, type Resolution, type Resolver } from '../../src/http/resolver.ts';

const found = (ttlSeconds: number): Resolution => ({
  ok: true,
  addresses: [{ address: '1.1.1.1', family: 4 }],
  ttlSeconds,
});
const failed = (failure: 'dns-nxdomain' | 'dns-no-address' | 'dns-servfail' | 'dns-timeout'): Resolution => ({
  ok: false,
  failure,
});

/** A cache over a resolver that records its look-ups, with a clock that the test sets. */
function cachedResolver(answer: (host: string) => Resolution | Promise<Resolution>, concurrency = 10, limit = 100) {
  const lookups: string[] = [];
  let time = 1;
  let cancelled = 0;
  const inner: Resolver = {
    resolve: async (host) => {
      lookups.push(host);
      return answer(host);
    },
    isAnswering: async () => true,
    canResolve: async () => true,
    cancel: () => {
      cancelled += 1;
    },
  };
  const resolver = cacheResolutions(inner, { concurrency, limit, clock: () => time });
  return { resolver, lookups, advance: (ms: number) => (time += ms), cancelled: () => cancelled };
}

describe('a resolver with a cache', () => {
  it.each<[string, Resolution, number]>([
    ['for the TTL of its records', found(60), 60],
    ['for a TTL of one second', found(1), 1],
    ['for an hour if the TTL is longer', found(86_400), 3_600],
    ['for a minute if the name does not exist', failed('dns-nxdomain'), 60],
    ['for a minute if the name has no address', failed('dns-no-address'), 60],
  ])('caches a result %s', async (_what, answer, seconds) => {
    const { resolver, lookups, advance } = cachedResolver(() => answer);
    expect(await resolver.resolve('a.example')).toEqual(answer);
    advance(seconds * 1_000 - 1);
    expect(await resolver.resolve('a.example')).toEqual(answer);
    expect(lookups).toHaveLength(1);
    advance(2);
    await resolver.resolve('a.example');
    expect(lookups).toHaveLength(2);
  });

  it.each([failed('dns-servfail'), failed('dns-timeout'), found(0)])(
    'does not cache a failed look-up or a TTL of 0: %o',
    async (answer) => {
      const { resolver, lookups } = cachedResolver(() => answer);
      await resolver.resolve('a.example');
      await resolver.resolve('a.example');
      expect(lookups).toHaveLength(2);
    },
  );

  it('shares one look-up among all callers of a name', async () => {
    const { resolver, lookups } = cachedResolver(() => found(60));
    await Promise.all([1, 2, 3].map(() => resolver.resolve('a.example')));
    expect(lookups).toEqual(['a.example']);
  });

  it('drops the least recently used result at its limit', async () => {
    const { resolver, lookups } = cachedResolver(() => found(60), 10, 2);
    for (const host of ['a', 'b', 'a', 'c', 'a', 'b']) await resolver.resolve(host);
    expect(lookups).toEqual(['a', 'b', 'c', 'b']);
  });

  it('limits parallel look-ups', async () => {
    const gates: (() => void)[] = [];
    const { resolver, lookups } = cachedResolver(
      () => new Promise((resolve) => gates.push(() => resolve(found(60)))),
      2,
    );
    const resolutions = Promise.all(['a', 'b', 'c'].map((host) => resolver.resolve(host)));
    await expect.poll(() => gates.length).toBe(2);
    expect(lookups).toEqual(['a', 'b']);
    gates[0]?.();
    await expect.poll(() => gates.length).toBe(3);
    for (const open of gates) open();
    expect(await resolutions).toHaveLength(3);
  });

  it('ends waiting look-ups when cancelled, and never starts them', async () => {
    const { resolver, lookups, cancelled } = cachedResolver(() => new Promise(() => undefined), 1);
    void resolver.resolve('a');
    const waiting = resolver.resolve('b');
    resolver.cancel();
    expect(await waiting).toEqual(failed('dns-timeout'));
    expect(cancelled()).toBe(1);
    expect(lookups).toEqual(['a']);
  });
});
