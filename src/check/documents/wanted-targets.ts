import { property } from '../../identify/json.ts';
import { parseDiscovery } from '../../identify/parse-discovery.ts';
import { parseHref } from '../../identify/parse-href.ts';
import type { Evidence } from '../evidence.ts';
import { discoveryOf } from './discovery-of.ts';

/** What a directory asks of a server, and what it is for. */
export interface WantedTarget {
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
