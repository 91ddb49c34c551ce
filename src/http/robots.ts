import robotsParserModule from 'robots-parser';

/** The rules of a robots.txt that hold for one robot: those of the groups that name it, or else of those for everyone. */
interface RobotsGroup {
  by: 'ours' | 'everyone';
  /** In the order of the file, `allow` or `disallow`, none without a value. Null when there are more than are judged by. */
  rules: readonly { key: string; value: string }[] | null;
  /** What the last Crawl-delay that is a number says; null when there is none. */
  crawlDelaySeconds: number | null;
}

/** So many rules are judged by, and so many characters of them all: judging a target takes time for each. */
const MOST_RULES = 2_000;
const MOST_RULE_CHARACTERS = 65_536;

interface Group {
  rules: { key: string; value: string }[];
  characters: number;
  crawlDelaySeconds: number | null;
}

/**
 * Reads the lines of a robots.txt (RFC 9309 section 2.2) and keeps what is for us: a file may name thousands of robots, and repeat
 * thousands of rules for them.
 *
 * @param token the product token that names us.
 */
export function readRobotsGroup(text: string, token: string): RobotsGroup {
  const ours: Group = { rules: [], characters: 0, crawlDelaySeconds: null };
  const everyone: Group = { rules: [], characters: 0, crawlDelaySeconds: null };
  const named = token.toLowerCase();
  let current: readonly Group[] = [];
  let isNamed = false;
  let wasAgent = false;

  for (const line of text.split(/\r\n|\r|\n/)) {
    const [key, value] = fieldOf(line);
    if (key === '') continue;
    const isAgent = key === 'user-agent';
    if (isAgent) {
      if (!wasAgent) current = [];
      const name = nameOf(value);
      if (name === named) isNamed = true;
      const opened = name === named ? ours : name === '*' ? everyone : null;
      if (opened !== null && !current.includes(opened)) current = [...current, opened];
    }
    for (const group of current) take(group, key, value);
    wasAgent = isAgent;
  }
  const { rules, characters, crawlDelaySeconds } = isNamed ? ours : everyone;
  const isTooLong = rules.length > MOST_RULES || characters > MOST_RULE_CHARACTERS;
  return { by: isNamed ? 'ours' : 'everyone', rules: isTooLong ? null : rules, crawlDelaySeconds };
}

/** Key in small letters and value; an empty key for a line that has none. */
function fieldOf(line: string): [key: string, value: string] {
  const comment = line.indexOf('#');
  const colon = line.indexOf(':');
  if (colon < 1 || (comment >= 0 && comment < colon)) return ['', ''];
  const value = line.slice(colon + 1, comment < 0 ? undefined : comment);
  return [line.slice(0, colon).trim().toLowerCase(), value.trim()];
}

/** The name of a robot without its version. */
function nameOf(value: string): string {
  const [name = ''] = value.split('/', 1);
  return name.trim().toLowerCase();
}

function take(group: Group, key: string, value: string): void {
  if (key === 'crawl-delay') {
    const seconds = Number(value);
    if (!Number.isNaN(seconds)) group.crawlDelaySeconds = seconds;
  } else if ((key === 'allow' || key === 'disallow') && value !== '') {
    group.characters += value.length;
    if (group.rules.length <= MOST_RULES) group.rules.push({ key, value });
  }
}

/** The part of the parser that is used. Its own types name a default export that a CommonJS module has not. */
type RobotsParser = (
  url: string,
  text: string,
) => {
  isDisallowed(url: string, token: string): boolean | undefined;
};
const robotsParser = robotsParserModule as unknown as RobotsParser;

/** The product token that site owners name us by in robots.txt (RFC 9309 section 2.2.1). */
export const ROBOTS_TOKEN = 'Loopscout';

/** So much of a robots.txt is read; RFC 9309 section 2.5 asks for 500 KiB at least. */
export const ROBOTS_MAX_BYTES = 512 * 1_024;

/**
 * What a robots.txt says to us about one request target, the path and the query as they are sent (RFC 9112 section 3.2.1):
 * which group forbids it, if any.
 */
export type RobotsRules = (target: string) => 'ours' | 'everyone' | null;

/** What a robots.txt says to us. */
export interface Robots {
  rules: RobotsRules;
  /** Seconds between requests (Crawl-delay, no part of RFC 9309 but widely used); null when nothing usable is said. */
  crawlDelaySeconds: number | null;
}

/** For a site that has no robots.txt. */
export const NO_RULES: Robots = { rules: () => null, crawlDelaySeconds: null };

/**
 * The parser takes URLs, and parsing one changes its path: dot segments go, quotes are encoded. A query of an unknown
 * scheme is left alone, so targets are judged as the query of `SITE`, and every rule is given the same beginning.
 */
const SITE = 'robots://site/?';

/**
 * Reads a robots.txt (RFC 9309): the longest match wins, and a group that names us replaces the one for everyone. Where more
 * rules hold for us than are judged by, everything is forbidden.
 *
 * @param body at most {@link ROBOTS_MAX_BYTES}; one of that length is taken to be cut off.
 * @param token the robot that is asked about; then "ours" is the group that names it.
 */
export function parseRobots(body: Uint8Array, token: string = ROBOTS_TOKEN): Robots {
  const text = new TextDecoder().decode(withoutPartialLine(body));
  const { by, rules, crawlDelaySeconds: delay } = readRobotsGroup(text, token);
  const crawlDelaySeconds = delay !== null && Number.isFinite(delay) && delay > 0 ? delay : null;
  if (rules === null) return { rules: () => by, crawlDelaySeconds };
  const lines = rules.map(({ key, value }) => `${key}: /?${value}`);
  const robots = robotsParser(SITE, ['User-agent: *', ...lines].join('\n'));
  return {
    rules: (target) => (robots.isDisallowed(SITE + asInRules(target), ROBOTS_TOKEN) === true ? by : null),
    crawlDelaySeconds,
  };
}

/** What the parser makes of the characters of a rule. */
function asInRules(target: string): string {
  return encodeURI(target).replaceAll('%25', '%');
}

/** What stands before the colon in the lines of a robots.txt, of RFC 9309 and of those that are widely used. */
const FIELD = /^[^\S\r\n]*(?:user-agent|allow|disallow|sitemap|crawl-delay|host|clean-param)[^\S\r\n]*:/im;
const COMMENT = /#[^\r\n]*/g;

/** Whether a body is a robots.txt from its first line to its last: no page that came in its place, and not cut off. */
export function isCompleteRobots(body: Uint8Array): boolean {
  if (body.length >= ROBOTS_MAX_BYTES) return false;
  const text = new TextDecoder().decode(body);
  return !/^\s*</.test(text) && (FIELD.test(text) || text.replace(COMMENT, '').trim() === '');
}

/** A robots.txt that may have been cut off, as {@link parseRobots} takes it; then it is one that was not. */
export function withoutPartialLine(body: Uint8Array): Uint8Array {
  return body.length < ROBOTS_MAX_BYTES ? body : wholeLines(body);
}

/** Without the last line, which may go on: `Disallow: /` may have been `Disallow: /private/`. */
function wholeLines(body: Uint8Array): Uint8Array {
  return body.subarray(0, Math.max(body.lastIndexOf(0x0a), body.lastIndexOf(0x0d)) + 1);
}
