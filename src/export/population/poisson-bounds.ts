/** Each of the two tails of a 95 % interval. */
const TAIL = 0.025;
/** From here on the approximation is right to four digits. */
const LARGE = 200;
const STEPS = 60;

/**
 * Between which numbers the mean lies of what was counted once, with 95 %: the exact interval of a Poisson count (F. Garwood, Biometrika 28
 * (1936), 437-442); of large counts by E. B. Wilson and M. M. Hilferty's cube root (PNAS 17 (1931), 684-688).
 *
 * @param count at least 0, whole; of 0 the lower bound is 0.
 */
export function poissonBounds(count: number): { low: number; high: number } {
  if (count >= LARGE) return { low: cubed(count, -1.96), high: cubed(count + 1, 1.96) };
  const low = count === 0 ? 0 : bisect(0, count, (mean) => 1 - atMost(count - 1, mean) < TAIL);
  return { low, high: bisect(count, 3 * count + 10, (mean) => atMost(count, mean) > TAIL) };
}

function cubed(count: number, z: number): number {
  return count * (1 - 1 / (9 * count) + z / (3 * Math.sqrt(count))) ** 3;
}

/** The chance of at most `count` where the mean is `mean`. */
function atMost(count: number, mean: number): number {
  let term = Math.exp(-mean);
  let sum = term;
  for (let index = 1; index <= count; index++) {
    term *= mean / index;
    sum += term;
  }
  return sum;
}

/** Where what holds at the lower end ceases to hold. */
function bisect(from: number, to: number, holds: (value: number) => boolean): number {
  let [low, high] = [from, to];
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
