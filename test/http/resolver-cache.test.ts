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

/** A cache over a counting resolver, on a clock that the test sets. */
function cached(answer: (host: string) => Resolution | Promise<Resolution>, concurrency = 10, limit = 100) {
  const asked: string[] = [];
  let time = 1;
  let cancelled = 0;
  const inner: Resolver = {
    resolve: async (host) => {
      asked.push(host);
      return answer(host);
    },
    answers: async () => true,
    resolves: async () => true,
    cancel: () => {
      cancelled += 1;
    },
  };
  const resolver = cacheResolutions(inner, { concurrency, limit, clock: () => time });
  return { resolver, asked, pass: (ms: number) => (time += ms), cancelled: () => cancelled };
}

describe('a resolver with a cache', () => {
  it.each<[string, Resolution, number]>([
    ['as long as its records say', found(60), 60],
    ['a second when its records say so', found(1), 1],
    ['an hour when its records say more', found(86_400), 3_600],
    ['a minute when the name does not exist', failed('dns-nxdomain'), 60],
    ['a minute when the name has no address', failed('dns-no-address'), 60],
  ])('caches an answer %s', async (_what, answer, seconds) => {
    const { resolver, asked, pass } = cached(() => answer);
    expect(await resolver.resolve('a.example')).toEqual(answer);
    pass(seconds * 1_000 - 1);
    expect(await resolver.resolve('a.example')).toEqual(answer);
    expect(asked).toHaveLength(1);
    pass(2);
    await resolver.resolve('a.example');
    expect(asked).toHaveLength(2);
  });

  it.each([failed('dns-servfail'), failed('dns-timeout'), found(0)])(
    'asks again after %o, which is no answer, or for the one who asked alone',
    async (answer) => {
      const { resolver, asked } = cached(() => answer);
      await resolver.resolve('a.example');
      await resolver.resolve('a.example');
      expect(asked).toHaveLength(2);
    },
  );

  it('shares one look-up among all callers of a name', async () => {
    const { resolver, asked } = cached(() => found(60));
    await Promise.all([1, 2, 3].map(() => resolver.resolve('a.example')));
    expect(asked).toEqual(['a.example']);
  });

  it('drops the least recently used answer at its limit', async () => {
    const { resolver, asked } = cached(() => found(60), 10, 2);
    for (const host of ['a', 'b', 'a', 'c', 'a', 'b']) await resolver.resolve(host);
    expect(asked).toEqual(['a', 'b', 'c', 'b']);
  });

  it('limits parallel look-ups', async () => {
    const gates: (() => void)[] = [];
    const { resolver, asked } = cached(() => new Promise((resolve) => gates.push(() => resolve(found(60)))), 2);
    const all = Promise.all(['a', 'b', 'c'].map((host) => resolver.resolve(host)));
    await expect.poll(() => gates.length).toBe(2);
    expect(asked).toEqual(['a', 'b']);
    gates[0]?.();
    await expect.poll(() => gates.length).toBe(3);
    for (const open of gates) open();
    expect(await all).toHaveLength(3);
  });

  it('ends waiting look-ups when cancelled, and works afterwards', async () => {
    let answer: Promise<Resolution> = new Promise(() => undefined);
    const { resolver, asked, cancelled } = cached(() => answer, 1);
    void resolver.resolve('a');
    const waiting = resolver.resolve('b');
    resolver.cancel();
    expect(await waiting).toEqual(failed('dns-timeout'));
    expect(cancelled()).toBe(1);
    answer = Promise.resolve(found(60));
    expect(asked).toEqual(['a']);
  });
});
