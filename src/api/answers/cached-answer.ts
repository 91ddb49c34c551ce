/**
 * Caches a value that is slow to make. A stale value, up to twice the maximum age, is returned while the next one is made; for an older
 * one, callers wait.
 *
 * @param make says whether its value may be cached.
 * @param now milliseconds since the epoch.
 */
export function createCachedAnswer<Value>(
  make: () => Promise<{ readonly value: Value; readonly isCacheable: boolean }>,
  { maxAgeMs, now }: { maxAgeMs: number; now: () => number },
): () => Promise<Value> {
  let cached: { readonly value: Value; readonly at: number } | null = null;
  let making: Promise<Value> | null = null;

  async function next(): Promise<Value> {
    const at = now();
    const { value, isCacheable } = await make();
    if (isCacheable) cached = { value, at };
    return value;
  }

  return async () => {
    const age = cached === null ? Number.POSITIVE_INFINITY : Math.abs(now() - cached.at);
    if (cached !== null && age < maxAgeMs) return cached.value;
    making ??= next().finally(() => {
      making = null;
    });
    if (cached === null || age >= 2 * maxAgeMs) return await making;
    // The next call tries again.
    making.catch(() => {});
    return cached.value;
  };
}
