import { NO_RULES, parseRobots, type Robots } from '../../http/robots.ts';
import { property } from '../../identify/json.ts';
import { parseDiscovery } from '../../identify/parse-discovery.ts';
import { parseHref } from '../../identify/parse-href.ts';
import { isHtml } from '../answers.ts';
import type { Evidence } from '../evidence.ts';
import { documentOf } from './document.ts';
import { discoveryOf } from './nodeinfo.ts';

/** What the robots.txt of the host says. */
interface RobotsText {
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

/** What a directory asks of a server, and what it is for. */
interface WantedTarget {
  name: 'config' | 'discovery' | 'nodeinfo';
  /** Path and query. */
  target: string;
}

const USUAL_NODEINFO = '/nodeinfo/2.0';

/** The requests that identify a server (specification 4.4), NodeInfo at the address that it advertises on this host. */
export function wantedTargets(evidence: Evidence): WantedTarget[] {
  const wanted: WantedTarget[] = [
    { name: 'config', target: '/api/v1/config' },
    { name: 'discovery', target: '/.well-known/nodeinfo' },
  ];
  const discovery = discoveryOf(evidence);
  if (discovery === null || property(discovery, 'links') === undefined)
    return [...wanted, { name: 'nodeinfo', target: USUAL_NODEINFO }];
  const href = parseHref(parseDiscovery(discovery)?.href ?? '');
  return href !== null && href.url.host === evidence.domain
    ? [...wanted, { name: 'nodeinfo', target: href.target }]
    : wanted;
}
