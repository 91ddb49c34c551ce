import robotsParserModule from 'robots-parser';

/** The rules of a robots.txt for one robot: from the groups that name it, or else from the `*` groups. */
interface RobotsGroup {
  kind: 'named' | 'everyone';
  /** `allow` and `disallow` rules with a value, in the order of the file. Null when they are too many or too long to evaluate. */
  rules: readonly { key: string; value: string }[] | null;
  /** The last numeric Crawl-delay; null when there is none. */
  crawlDelaySeconds: number | null;
}

/** Limits of one group, because evaluating a target takes time for every rule. */
const MAX_RULES = 2_000;
const MAX_RULE_CHARACTERS = 65_536;

interface Group {
  rules: { key: string; value: string }[];
  characters: number;
  crawlDelaySeconds: number | null;
}

/**
 * Reads the lines of a robots.txt (RFC 9309 section 2.2) and keeps only our rules and those of `*`: a file may repeat thousands of
 * rules for thousands of robots.
 *
 * @param token the product token that names us.
 */
export function readRobotsGroup(text: string, token: string): RobotsGroup {
  const ours: Group = { rules: [], characters: 0, crawlDelaySeconds: null };
  const everyone: Group = { rules: [], characters: 0, crawlDelaySeconds: null };
  const ourName = token.toLowerCase();
  let current: readonly Group[] = [];
  let isNamed = false;
  let wasAgent = false;

  for (const line of text.split(/\r\n|\r|\n/)) {
    const [key, value] = parseField(line);
    if (key === '') continue;
    const isAgent = key === 'user-agent';
    if (isAgent) {
      if (!wasAgent) current = [];
      const name = robotName(value);
      if (name === ourName) isNamed = true;
      const opened = name === ourName ? ours : name === '*' ? everyone : null;
      if (opened !== null && !current.includes(opened)) current = [...current, opened];
    }
    for (const group of current) addField(group, key, value);
    wasAgent = isAgent;
  }
  const { rules, characters, crawlDelaySeconds } = isNamed ? ours : everyone;
  const isTooLong = rules.length > MAX_RULES || characters > MAX_RULE_CHARACTERS;
  return { kind: isNamed ? 'named' : 'everyone', rules: isTooLong ? null : rules, crawlDelaySeconds };
}

/** The lower-case key and the value; an empty key for a line without one. */
function parseField(line: string): [key: string, value: string] {
  const comment = line.indexOf('#');
  const colon = line.indexOf(':');
  if (colon < 1 || (comment >= 0 && comment < colon)) return ['', ''];
  const value = line.slice(colon + 1, comment < 0 ? undefined : comment);
  return [line.slice(0, colon).trim().toLowerCase(), value.trim()];
}

/** The name of a robot without its version. */
function robotName(value: string): string {
  const [name = ''] = value.split('/', 1);
  return name.trim().toLowerCase();
}

function addField(group: Group, key: string, value: string): void {
  if (key === 'crawl-delay') {
    const seconds = value === '' ? Number.NaN : Number(value);
    if (!Number.isNaN(seconds)) group.crawlDelaySeconds = seconds;
  } else if ((key === 'allow' || key === 'disallow') && value !== '') {
    group.characters += value.length;
    if (group.rules.length <= MAX_RULES) group.rules.push({ key, value });
  }
}

/** The part of the parser that is used here. Its own types declare a default export that the CommonJS module does not have. */
type RobotsParser = (
  url: string,
  text: string,
) => {
  isDisallowed(url: string, token: string): boolean | undefined;
};
const robotsParser = robotsParserModule as unknown as RobotsParser;

/** Our product token in robots.txt (RFC 9309 section 2.2.1). */
export const ROBOTS_TOKEN = 'Loopscout';

/** RFC 9309 section 2.5 requires reading at least 500 KiB. */
export const ROBOTS_MAX_BYTES = 512 * 1_024;

/**
 * The kind of group that forbids one request target, or null. A target is the path and query as sent (RFC 9112 section 3.2.1).
 */
export type RobotsMatcher = (target: string) => 'named' | 'everyone' | null;

/** The rules of a robots.txt that apply to us. */
export interface Robots {
  forbiddenBy: RobotsMatcher;
  /** Seconds between requests (Crawl-delay: not in RFC 9309, but widely used); null when there is no usable value. */
  crawlDelaySeconds: number | null;
}

/** For a site without a robots.txt. */
export const NO_RULES: Robots = { forbiddenBy: () => null, crawlDelaySeconds: null };

/**
 * The parser accepts URLs only, and URL parsing changes a path: it removes dot segments and encodes quotes. It does not change the query of
 * a URL with an unknown scheme, so each target becomes the query of this URL, and each rule begins with `/?` to match it.
 */
const SITE = 'robots://site/?';

/**
 * Parses a robots.txt (RFC 9309): the longest match wins, and a group that names us replaces the `*` group. Too many rules forbid
 * everything.
 *
 * @param body at most {@link ROBOTS_MAX_BYTES}; a body of that length counts as truncated.
 * @param token the product token to evaluate the file for; `named` then means a group that names this token.
 */
export function parseRobots(body: Uint8Array, token: string = ROBOTS_TOKEN): Robots {
  const text = new TextDecoder().decode(withoutPartialLine(body));
  const { kind, rules, crawlDelaySeconds: delay } = readRobotsGroup(text, token);
  const crawlDelaySeconds = delay !== null && Number.isFinite(delay) && delay > 0 ? delay : null;
  if (rules === null) return { forbiddenBy: () => kind, crawlDelaySeconds };
  const lines = rules.map(({ key, value }) => `${key}: /?${value}`);
  const robots = robotsParser(SITE, ['User-agent: *', ...lines].join('\n'));
  return {
    forbiddenBy: (target) => (robots.isDisallowed(SITE + encodeLikeRules(target), ROBOTS_TOKEN) === true ? kind : null),
    crawlDelaySeconds,
  };
}

/** Encodes a target as the parser encodes its rules. */
function encodeLikeRules(target: string): string {
  return encodeURI(target).replaceAll('%25', '%');
}

/** The field names of RFC 9309 and other widely used ones. */
const FIELD = /^[^\S\r\n]*(?:user-agent|allow|disallow|sitemap|crawl-delay|host|clean-param)[^\S\r\n]*:/im;
const COMMENT = /#[^\r\n]*/g;

/** Whether a body is a complete robots.txt: not a page in its place, and not truncated. */
export function isCompleteRobots(body: Uint8Array): boolean {
  if (body.length >= ROBOTS_MAX_BYTES) return false;
  const text = new TextDecoder().decode(body);
  return !/^\s*</.test(text) && (FIELD.test(text) || text.replace(COMMENT, '').trim() === '');
}

/**
 * Drops the incomplete last line of a body that was cut off at the size limit. The stored copy ends with a complete line, so
 * {@link parseRobots} reads the same rules from it.
 */
export function withoutPartialLine(body: Uint8Array): Uint8Array {
  return body.length < ROBOTS_MAX_BYTES ? body : dropLastLine(body);
}

/** Drops the last line, which may be incomplete: `Disallow: /` may have been `Disallow: /private/`. */
function dropLastLine(body: Uint8Array): Uint8Array {
  return body.subarray(0, Math.max(body.lastIndexOf(0x0a), body.lastIndexOf(0x0d)) + 1);
}
