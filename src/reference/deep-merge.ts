/** A type whose keys are optional at every depth, except inside lists. */
export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Key in keyof T]?: DeepPartial<T[Key]> | undefined }
    : T;

/**
 * Returns `base` with `changes` merged in, key by key at every depth, and leaves `base` itself unchanged. Lists and single
 * values replace the old value; a key that is `undefined` in `changes` keeps it.
 */
export function deepMerge<T>(base: T, changes: NoInfer<DeepPartial<T>> | undefined): T {
  if (changes === undefined) return base;
  if (!isRecord(base) || !isRecord(changes)) return changes as T;
  const result: Record<string, unknown> = { ...base };
  for (const [key, change] of Object.entries(changes)) {
    if (change !== undefined) result[key] = deepMerge(result[key], change);
  }
  return result as T;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
