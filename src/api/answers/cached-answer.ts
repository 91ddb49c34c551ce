import type { EpochMs } from '../../model/time.ts';

/**
 * Caches a value that is slow to make. A stale value, up to twice the maximum age, is returned while the next one is made; for an older
 * one, or one of another version, callers wait.
 *
 * @param make says whether its value may be cached.
 * @param version read before a value is made; a value of an earlier version is never returned.
 */
export function createCachedAnswer<Value>(
  make: () => Promise<{ readonly value: Value; readonly isCacheable: boolean }>,
  { maxAgeMs, version, now }: { maxAgeMs: number; version: () => unknown; now: () => EpochMs },
): () => Promise<Value> {
  let cached: { readonly value: Value; readonly at: EpochMs; readonly version: unknown } | null = null;
  let making: { readonly promise: Promise<Value>; readonly version: unknown } | null = null;

  async function next(current: unknown): Promise<Value> {
    const at = now();
    const { value, isCacheable } = await make();
    if (isCacheable) cached = { value, at, version: current };
    return value;
  }

  return async () => {
    const current = version();
    const usable = cached?.version === current ? cached : null;
    const age = usable === null ? Number.POSITIVE_INFINITY : Math.abs(now() - usable.at);
    if (usable !== null && age < maxAgeMs) return usable.value;
    if (making === null || making.version !== current) {
      const started = { promise: next(current), version: current };
      making = started;
      const end = () => {
        if (making === started) making = null;
      };
      // After an error, the next call tries again.
      started.promise.then(end, end);
    }
    return usable === null || age >= 2 * maxAgeMs ? await making.promise : usable.value;
  };
}
