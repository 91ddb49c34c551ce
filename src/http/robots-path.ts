/** Counts the steps of reading and matching, each of which takes constant time. */
export interface RobotsWork {
  steps: number;
}

/** An escape, an octet that a URI cannot contain, or a character that rules give a meaning. */
const NOT_NORMAL = /%[\da-f]{2}|[^\x21-\x7e]|["<>\\^`{|}$*]/gi;
/** Most paths have nothing to change. */
const NORMAL = /^[\w/.~-]*$/;
const UNRESERVED = /[\w.~-]/;

/**
 * The normal form of a path (RFC 9309 sections 2.2.2 and 2.2.3, RFC 3986 section 6.2.2): escapes of unreserved characters are decoded, all
 * others are in upper case, and the octets that a URI cannot contain are escaped, as are `*` and `$`, which only rules may use unescaped.
 *
 * @param octets one character for each octet (`latin1`).
 */
function normalise(octets: string): string {
  if (NORMAL.test(octets)) return octets;
  return octets.replace(NOT_NORMAL, (part) => {
    if (part.length === 1) return `%${part.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
    const character = String.fromCharCode(Number.parseInt(part.slice(1), 16));
    return UNRESERVED.test(character) ? character : part.toUpperCase();
  });
}

/** The normal form of the path of a rule. In it, `*` stands for any characters and a final `$` for the end; no other `$` is left. */
export function normaliseRule(octets: string): string {
  const isAnchored = octets.endsWith('$');
  const parts = (isAnchored ? octets.slice(0, -1) : octets).split('*').map(normalise);
  return parts.join('*') + (isAnchored ? '$' : '');
}

/**
 * Matches rules against one target. A rule costs at most one step for each of its characters and each 64 characters of the target, whatever
 * its wildcards.
 */
export class RobotsTarget {
  readonly #path: string;
  readonly #work: RobotsWork;
  /** For each character, the places of the path where it stands, as bits. */
  #places: Map<string, bigint> | null = null;

  /** @param target the path and query as sent. */
  constructor(target: string, work: RobotsWork) {
    this.#path = normalise(Buffer.from(target).toString('latin1'));
    this.#work = work;
  }

  /** @param rule in normal form. */
  matches(rule: string): boolean {
    const isAnchored = rule.endsWith('$');
    const pattern = isAnchored ? rule.slice(0, -1) : rule;
    const wildcard = pattern.indexOf('*');
    const literal = wildcard < 0 ? pattern : pattern.slice(0, wildcard);
    this.#work.steps += 1 + Math.min(literal.length, this.#path.length);
    if (!this.#path.startsWith(literal)) return false;
    if (wildcard < 0) return !isAnchored || pattern.length === this.#path.length;
    return this.#matchesWildcards(pattern, wildcard, isAnchored);
  }

  #matchesWildcards(pattern: string, wildcard: number, isAnchored: boolean): boolean {
    const end = 1n << BigInt(this.#path.length);
    const all = (end << 1n) - 1n;
    const stepsOfCharacter = Math.ceil((this.#path.length + 1) / 64);
    this.#places ??= placesIn(this.#path);
    // Bit n is set if the pattern up to here matches the first n characters of the path.
    let matched = 1n << BigInt(wildcard);
    for (let index = wildcard; index < pattern.length && matched !== 0n; index++) {
      this.#work.steps += stepsOfCharacter;
      const character = pattern.charAt(index);
      // A wildcard sets every bit above the lowest one.
      if (character === '*') matched = all & -(matched & -matched);
      else matched = (matched & (this.#places.get(character) ?? 0n)) << 1n;
    }
    return isAnchored ? (matched & end) !== 0n : matched !== 0n;
  }
}

function placesIn(path: string): Map<string, bigint> {
  const places = new Map<string, bigint>();
  for (let index = 0; index < path.length; index++)
    places.set(path.charAt(index), (places.get(path.charAt(index)) ?? 0n) | (1n << BigInt(index)));
  return places;
}
