import type { VisitClient } from '../../http/visit-client.ts';
import { decodeResult, type Exchange } from './exchange.ts';

/**
 * A client that answers from the exchanges of a worker, in their order. A request that is not among them, such as one to a third-party
 * host, is sent by `live`.
 */
export function createReplayClient(
  {
    exchanges,
    tlsExpires,
    answeredAt,
  }: { exchanges: readonly Exchange[]; tlsExpires: number | null; answeredAt: string | null },
  live: VisitClient,
): VisitClient {
  let rest = exchanges;
  return {
    ...live,
    async get(url, options) {
      const index = rest.findIndex((exchange) => exchange.url === url.href && exchange.target === options.target);
      const [exchange] = rest.slice(index);
      if (index === -1 || exchange === undefined) return live.get(url, options);
      rest = rest.slice(index + 1);
      return decodeResult(exchange);
    },
    certificateOf: (host) => live.certificateOf(host) ?? (tlsExpires === null ? null : { validTo: tlsExpires }),
    answeredAt: (host) => live.answeredAt(host) ?? answeredAt,
    // The worker has waited between its requests.
    wait: async (ms) => (rest.length > 0 ? undefined : live.wait(ms)),
  };
}
