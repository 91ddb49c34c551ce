import { sendJson, serveList } from './serve-list.ts';

export interface LemmyServer {
  linked: readonly string[];
  blocked?: readonly string[];
  /** Versions up to 0.17 send plain host names; a server without federation sends null instead of the lists. */
  form?: '0.19' | '0.17' | 'no-federation';
  /** PieFed serves the same document at a path of its own. */
  software?: 'lemmy' | 'piefed';
}

/** GET /api/v3/federated_instances, or /api/alpha/federated_instances in PieFed. */
export function serveLemmy({ linked, blocked = [], form = '0.19', software = 'lemmy' }: LemmyServer) {
  const member = (domain: string, id: number) => ({
    id,
    domain,
    published: '2023-06-11T08:22:00.123456Z',
    updated: '2026-08-01T00:00:00.000000Z',
    ...(id % 2 === 1 ? { software: 'Lemmy', version: '0.19.11' } : {}),
    federation_state: { instance_id: id, last_successful_id: 17, fail_count: 0, next_retry: null },
  });
  const lists = {
    '0.19': { linked: linked.map(member), allowed: [], blocked: blocked.map(member) },
    '0.17': { linked, allowed: null, blocked },
    'no-federation': null,
  };
  return serveList(({ url }, response) => {
    if (url.pathname === `/api/${software === 'piefed' ? 'alpha' : 'v3'}/federated_instances`)
      sendJson(response, { federated_instances: lists[form] });
    else response.writeHead(404).end();
  });
}
