/** A row of a table, and whether it lies before what is looked for. */
export interface Placed {
  id: number;
  isBefore: boolean;
}

/**
 * Finds by bisection the last row before something, where rows lie in the order of their ids; the id answered may be of a row that is gone.
 *
 * @param last the largest id; 0 when there is no row.
 * @param next the first row from an id on.
 * @returns 0 when no row lies before it.
 */
export function bisectIds(last: number, next: (id: number) => Placed | undefined): number {
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const row = next(middle);
    if (row?.isBefore === true) low = Math.min(row.id, high);
    else high = middle - 1;
  }
  return low;
}
