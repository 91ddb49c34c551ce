/** A value with any part of it left out, at every depth. Lists are taken whole. */
export type Partially<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Key in keyof T]?: Partially<T[Key]> | undefined }
    : T;

/**
 * Lays `changes` over `base`, key by key and at every depth, and returns a new value; neither argument is changed.
 * Lists and single values replace what they lie on; a key that is `undefined` in `changes` leaves `base` as it is.
 */
export function overlay<T>(base: T, changes: NoInfer<Partially<T>> | undefined): T {
  if (changes === undefined) return base;
  if (!isRecord(base) || !isRecord(changes)) return changes as T;
  const result: Record<string, unknown> = { ...base };
  for (const [key, change] of Object.entries(changes)) {
    if (change !== undefined) result[key] = overlay(result[key], change);
  }
  return result as T;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
