/** A row, and whether it lies before the boundary. */
export interface Placed {
  id: number;
  isBefore: boolean;
}

/**
 * Finds by bisection the last row before a boundary, among rows in the order of their ids.
 *
 * @param last the largest id; 0 when there is no row.
 * @param next the first row from an id on.
 * @returns 0 when no row lies before the boundary. The id may belong to a deleted row.
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
