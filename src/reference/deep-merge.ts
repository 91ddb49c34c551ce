/** A type whose keys are optional at every depth. Lists are not partial. */
export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Key in keyof T]?: DeepPartial<T[Key]> | undefined }
    : T;

/**
 * Merges `changes` into a copy of `base`, key by key at every depth. Lists and single values replace the old value; a key
 * that is `undefined` in `changes` leaves it.
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
