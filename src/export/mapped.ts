/** Maps an iterable lazily. */
export function* mapped<From, To>(rows: Iterable<From>, map: (row: From) => To): Iterable<To> {
  for (const row of rows) yield map(row);
}
