import type { NoindexWay } from '../model/facts/host-facts.ts';

const ROUTES = { config: 'its configuration', discovery: 'the NodeInfo link', nodeinfo: 'NodeInfo' } as const;

/** In which ways a host was last found to ask not to be published, as a sentence; empty where that is not known. */
export function noindexWords(ways: readonly NoindexWay[] = []): string {
  const told = ways.filter((way) => way !== 'earlier').map(wayWords);
  return told.length === 0 ? '' : `Last found: ${told.join('; ')}. `;
}

function wayWords(way: Exclude<NoindexWay, 'earlier'>): string {
  if (way === 'robots') return 'robots.txt names Loopscout';
  if (way === 'nodeinfo') return 'the metadata of NodeInfo';
  const route = way.slice(0, way.indexOf('-')) as keyof typeof ROUTES;
  return `the header with ${ROUTES[route]}${way.endsWith('-error-header') ? ', which is no document' : ''}`;
}
