import type { Area } from '../../rule.ts';

/** The parts of a server as an operator calls them, in the order of a report. */
export const AREA_NAMES: Readonly<Record<Area, string>> = {
  dns: 'DNS',
  tls: 'TLS',
  http: 'HTTP',
  robots: 'robots.txt',
  config: 'configuration',
  nodeinfo: 'NodeInfo',
  agreement: 'agreement',
  api: 'API',
  oauth: 'OAuth',
  federation: 'federation',
};
