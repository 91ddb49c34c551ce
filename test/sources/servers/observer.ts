import { sendJson, serveList } from './serve-list.ts';

export interface ObserverNode {
  domain: string;
  softwarename: string;
  status: 'UP' | 'DOWN';
}

/** POST / with a GraphQL query `{ nodes(status: "UP", softwarename: "x") { domain softwarename } }`. Errors have status 200. */
export function serveObserver(nodes: readonly ObserverNode[]) {
  return serveList(({ method, body }, response) => {
    const { query = '' } = method === 'POST' ? JSON.parse(body) : {};
    const parsed = /^\{ nodes(?:\(([^)]*)\))? \{ domain softwarename \} \}$/.exec(query);
    if (parsed === null)
      return sendJson(response, { errors: [{ message: 'Syntax Error: Unexpected <EOF>', locations: [] }] });
    const [, filters = ''] = parsed;
    const wanted = (name: string) => new RegExp(`${name}: "([^"]*)"`).exec(filters)?.[1];
    const found = nodes.filter(
      ({ softwarename, status }) =>
        softwarename === (wanted('softwarename') ?? softwarename) && status === (wanted('status') ?? status),
    );
    sendJson(response, { data: { nodes: found.map(({ domain, softwarename }) => ({ domain, softwarename })) } });
  });
}
