/** A share as it is published, to four digits, rounded down: the times of visits are not worth more. */
export function roundedShare<Share extends number | null>(share: Share): Share {
  return (share === null ? null : Math.floor(share * 10_000) / 10_000) as Share;
}
