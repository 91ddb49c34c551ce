/**
 * Keeps a value that is slow to make. Once there is one, no caller waits: an old one is returned while the next is made.
 *
 * @param make its value is kept if it says so.
 * @param now milliseconds since the epoch.
 */
export function createKeptAnswer<Value>(
  make: () => Promise<{ readonly value: Value; readonly isKept: boolean }>,
  { keptMs, now }: { keptMs: number; now: () => number },
): () => Promise<Value> {
  let kept: { readonly value: Value; readonly at: number } | null = null;
  let making: Promise<Value> | null = null;

  async function next(): Promise<Value> {
    const at = now();
    const { value, isKept } = await make();
    if (isKept) kept = { value, at };
    return value;
  }

  return async () => {
    if (kept !== null && Math.abs(now() - kept.at) < keptMs) return kept.value;
    making ??= next().finally(() => {
      making = null;
    });
    if (kept === null) return await making;
    // The next call tries again.
    making.catch(() => {});
    return kept.value;
  };
}
