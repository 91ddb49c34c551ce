import { NO_RULES, parseRobots, type Robots } from '../../http/robots.ts';
import type { Evidence } from '../evidence.ts';
import { documentOf } from './document-of.ts';
import { isHtml } from './is-html.ts';

/** What the robots.txt of the host says. */
export interface RobotsText {
  /** The file; empty when there is none, and everything is allowed. */
  body: Uint8Array;
  text: string;
  robotsFor: (token?: string) => Robots;
}

/**
 * The robots.txt that a crawl would go by (RFC 9309 section 2.3.1): a 4xx is as good as an empty one. Null where it could not be had, was
 * redirected or is a page, for the reason that the rules of the answer name.
 */
export function robotsOf({ answers }: Evidence): RobotsText | null {
  const { robots } = answers;
  if (robots === null || robots.failure !== null || robots.status === null) return null;
  if (robots.status === 429 || robots.status >= 500 || (robots.status >= 300 && robots.status < 400)) return null;
  if (documentOf(robots).kind === 'challenge') return null;
  if (robots.status >= 400) return { body: new Uint8Array(), text: '', robotsFor: () => NO_RULES };
  if (isHtml(robots)) return null;
  const { body } = robots;
  return { body, text: new TextDecoder().decode(body), robotsFor: (token) => parseRobots(body, token) };
}
