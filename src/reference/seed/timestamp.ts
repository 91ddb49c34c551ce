/** A time in ISO 8601 with its offset, in whole seconds, as live servers write it: `2025-03-04T12:00:00+00:00`. */
export function timestamp(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, '+00:00');
}
