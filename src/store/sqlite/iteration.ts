import type { Prepared } from './prepare.ts';

/**
 * Makes what streams the rows of one query any number of times at once. One statement cannot be in two iterations at a time; those
 * that are in none are used again, since preparing one takes longer than reading a few rows.
 */
export function createIteration<Parameters extends object, Row>(
  prepared: () => Prepared<Parameters, Row>,
): (parameters: Parameters) => IterableIterator<Row> {
  const idle: Prepared<Parameters, Row>[] = [];
  return function* iterate(parameters) {
    const query = idle.pop() ?? prepared();
    try {
      yield* query.iterate(parameters);
    } finally {
      idle.push(query);
    }
  };
}
