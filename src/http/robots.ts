import { type RobotsLine, readRobotsLines } from './robots-lines.ts';
import { normaliseRule, RobotsTarget, type RobotsWork } from './robots-path.ts';

/** Our product token in robots.txt (RFC 9309 section 2.2.1). */
export const ROBOTS_TOKEN = 'Loopscout';

/** RFC 9309 section 2.5 requires reading at least 500 KiB. */
export const ROBOTS_MAX_BYTES = 512 * 1_024;

/** The groups of a robots.txt that apply to a robot: those that name it, or else the `*` groups. */
type RobotsGroup = 'named' | 'everyone';

/**
 * The kind of group that forbids one request target, or null. A target is the path and query as sent (RFC 9112 section 3.2.1).
 */
export type RobotsMatcher = (target: string) => RobotsGroup | null;

/** The rules of a robots.txt that apply to us. */
export interface Robots {
  group: RobotsGroup;
  forbiddenBy: RobotsMatcher;
  /** Seconds between requests (Crawl-delay: not in RFC 9309, but widely used); null when there is no usable value. */
  crawlDelaySeconds: number | null;
}

/** For a site without a robots.txt. */
export const NO_RULES: Robots = { group: 'everyone', forbiddenBy: () => null, crawlDelaySeconds: null };

/**
 * Parses a robots.txt (RFC 9309): the longest match wins, and a group that names us replaces the `*` group. No number or length of rules
 * changes their meaning, so the rules are not kept in memory: each target reads the file again.
 *
 * @param body at most {@link ROBOTS_MAX_BYTES}; a body of that length counts as truncated.
 * @param token the product token to evaluate the file for; `named` then means a group that names this token.
 * @param work counts the steps.
 */
export function parseRobots(body: Uint8Array, token: string = ROBOTS_TOKEN, work: RobotsWork = { steps: 0 }): Robots {
  const text = octetsOf(withoutPartialLine(body));
  let isNamed = false;
  const delays: Record<RobotsGroup, number | null> = { named: null, everyone: null };
  for (const { line, groups } of readGroups(text, token, work)) {
    if (groups.includes('named')) isNamed = true;
    const seconds = line.field === 'crawl-delay' && line.value !== '' ? Number(line.value) : Number.NaN;
    if (!Number.isNaN(seconds)) for (const group of groups) delays[group] = seconds;
  }
  const group = isNamed ? 'named' : 'everyone';
  const delay = delays[group];
  return {
    group,
    forbiddenBy: (target) => (isForbidden(text, token, group, target, work) ? group : null),
    crawlDelaySeconds: delay !== null && Number.isFinite(delay) && delay > 0 ? delay : null,
  };
}

function isForbidden(text: string, token: string, group: RobotsGroup, target: string, work: RobotsWork): boolean {
  const path = new RobotsTarget(target, work);
  let matchedLength = 0;
  let isAllowed = true;
  for (const { line, groups } of readGroups(text, token, work)) {
    if ((line.field !== 'allow' && line.field !== 'disallow') || !groups.includes(group)) continue;
    const rule = normaliseRule(line.value);
    const isAllow = line.field === 'allow';
    if (rule.length < matchedLength || (rule.length === matchedLength && !isAllow) || !path.matches(rule)) continue;
    matchedLength = rule.length;
    isAllowed = isAllow;
  }
  return !isAllowed;
}

interface GroupLine {
  line: RobotsLine;
  groups: readonly RobotsGroup[];
}

/**
 * Yields the lines of the groups that name the token and of the `*` groups. A group begins with a run of user-agent lines, which only `allow`
 * and `disallow` end (RFC 9309 sections 2.1 and 2.2.4); a `Crawl-delay` within it is for those named above it.
 */
function* readGroups(text: string, token: string, work: RobotsWork): Generator<GroupLine> {
  const ourName = token.toLowerCase();
  let groups: readonly RobotsGroup[] = [];
  let hasRules = false;
  work.steps += text.length;
  for (const line of readRobotsLines(text)) {
    if (line.field === null) continue;
    if (line.field === 'user-agent') {
      if (hasRules) groups = [];
      const name = robotName(line.value);
      const group = name === '*' ? 'everyone' : name === ourName ? 'named' : null;
      if (group !== null && !groups.includes(group)) groups = [...groups, group];
      hasRules = false;
    } else if (line.field !== 'crawl-delay') hasRules = true;
    if (groups.length > 0) yield { line, groups };
  }
}

/** `*`, or the product token, which ends at the first character that it cannot contain (RFC 9309 section 2.2.1). */
function robotName(value: string): string {
  return /^(?:\*(?=$|[ \t])|[a-z_-]*)/i.exec(value)?.[0].toLowerCase() ?? '';
}

/** The bytes, each as one character. */
function octetsOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
}

/** Names that make a text a robots.txt, besides those that are evaluated. */
const OTHER_NAMES: ReadonlySet<string> = new Set(['sitemap', 'host', 'clean-param']);

/** Whether a body is a complete robots.txt: not a page in its place, and not truncated. */
export function isCompleteRobots(body: Uint8Array): boolean {
  if (body.length >= ROBOTS_MAX_BYTES) return false;
  let isEmpty = true;
  for (const { content, field, name } of readRobotsLines(octetsOf(body))) {
    if (isEmpty && content.startsWith('<')) return false;
    if (field !== null || OTHER_NAMES.has(name)) return true;
    isEmpty = false;
  }
  return isEmpty;
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
