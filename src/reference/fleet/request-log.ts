export interface LoggedRequest {
  /** Host as in the Host header. */
  domain: string;
  method: string;
  /** Path and query, normalised. */
  path: string;
  userAgent: string | null;
  /** Milliseconds since the epoch. */
  at: number;
}

/** The requests to a fleet. Always empty when the fleet was created with `log: false`. */
export interface RequestLog {
  /** Number of requests since the start. */
  readonly total: number;
  /** The last 1,000 requests, oldest first. */
  readonly recent: readonly LoggedRequest[];
  /** Number of requests to a domain, or to one of its paths. */
  count(domain: string, path?: string): number;
  /** Request counts of a domain by path. */
  paths(domain: string): ReadonlyMap<string, number>;
  /** Domains where two visits overlapped: requests came from two connections at the same time, or alternately. */
  readonly overlapping: ReadonlySet<string>;
  clear(): void;
}

const recentLimit = 1000;

/** The connections to one domain. */
interface Connections {
  /** The connection of the last request. */
  current: object;
  past: WeakSet<object>;
  unanswered: number;
}

/** Creates a request log. `add` logs a request and returns a function to call once the request has ended. */
export function createRequestLog(): RequestLog & { add(request: LoggedRequest, connection: object): () => void } {
  const counts = new Map<string, Map<string, number>>();
  const connections = new Map<string, Connections>();
  const overlapping = new Set<string>();
  const ring: LoggedRequest[] = [];
  let total = 0;
  return {
    get total() {
      return total;
    },
    get recent() {
      const next = total % recentLimit;
      return total <= recentLimit ? [...ring] : [...ring.slice(next), ...ring.slice(0, next)];
    },
    count: (domain, path) => {
      const paths = counts.get(domain);
      if (path !== undefined) return paths?.get(path) ?? 0;
      return [...(paths?.values() ?? [])].reduce((sum, count) => sum + count, 0);
    },
    paths: (domain) => counts.get(domain) ?? new Map(),
    overlapping,
    clear: () => {
      counts.clear();
      connections.clear();
      overlapping.clear();
      ring.length = 0;
      total = 0;
    },
    add: (request, connection) => {
      ring[total % recentLimit] = request;
      total += 1;
      const paths = counts.get(request.domain) ?? new Map<string, number>();
      counts.set(request.domain, paths);
      paths.set(request.path, (paths.get(request.path) ?? 0) + 1);
      const hostConnections = connections.get(request.domain) ?? {
        current: connection,
        past: new WeakSet(),
        unanswered: 0,
      };
      connections.set(request.domain, hostConnections);
      if (hostConnections.current !== connection) {
        if (hostConnections.unanswered > 0 || hostConnections.past.has(connection)) overlapping.add(request.domain);
        hostConnections.past.add(hostConnections.current);
        hostConnections.current = connection;
      }
      hostConnections.unanswered += 1;
      return () => {
        hostConnections.unanswered -= 1;
      };
    },
  };
}
