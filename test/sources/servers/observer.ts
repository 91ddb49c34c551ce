import { sendJson, serveList } from './serve-list.ts';

export interface ObserverNode {
  domain: string;
  softwarename: string;
  status: 'UP' | 'DOWN';
}

/** POST /graphql with a GraphQL query `{ nodes(key: "k", status: "UP", softwarename: "x") { domain softwarename } }`. Errors have status 200. */
export function serveObserver(nodes: readonly ObserverNode[], key?: string) {
  return serveList(({ method, body }, response) => {
    const { query = '' } = method === 'POST' ? JSON.parse(body) : {};
    const parsed = /^\{ nodes(?:\(([^)]*)\))? \{ domain softwarename \} \}$/.exec(query);
    if (parsed === null)
      return sendJson(response, { errors: [{ message: 'Syntax Error: Unexpected <EOF>', locations: [] }] });
    const [, filters = ''] = parsed;
    if (key !== undefined && !filters.includes(`key: "${key}"`))
      return sendJson(response, { errors: [{ message: 'Invalid key' }], data: { nodes: null } });
    const wanted = (name: string) => new RegExp(`${name}: "([^"]*)"`).exec(filters)?.[1];
    const found = nodes.filter(
      ({ softwarename, status }) =>
        softwarename === (wanted('softwarename') ?? softwarename) && status === (wanted('status') ?? status),
    );
    sendJson(response, { data: { nodes: found.map(({ domain, softwarename }) => ({ domain, softwarename })) } });
  });
}
