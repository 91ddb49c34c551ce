import type { VisitClient } from '../../http/visit-client.ts';
import type { Identifier, LocalIdentifier } from '../../identify/identifier.ts';
import { decodeResult, type Exchange } from './exchange.ts';
import type { WorkerVisits } from './worker-visits.ts';

/**
 * An identifier whose requests to visited hosts are sent by workers. Names are resolved here, and the verdict is reached here: `local`
 * identifies the host over the exchanges of the worker, and sends itself what is not among them, with all its limits.
 */
export function createWorkerIdentifier(
  local: LocalIdentifier,
  workers: Pick<WorkerVisits, 'visit' | 'cancelWaiting' | 'cancelAll'>,
): Identifier {
  return {
    resolve: (domain) => local.resolve(domain),

    async identify(resolved, context) {
      const { builder, addresses } = resolved;
      const sent = await workers.visit({ domain: builder.domain, addresses }, context);
      const { exchanges } = sent;
      // A worker connects to the addresses of its task only.
      const answeredAt = addresses.find(({ address }) => address === sent.answeredAt)?.address ?? null;
      const client = createReplayClient({ ...sent, answeredAt }, local.openClient(resolved));
      const visit = await local.identify(resolved, context, client);
      const requestsMs = exchanges.reduce((sum, { result }) => sum + result.ms, 0);
      return { ...visit, at: Math.round(visit.at - requestsMs), durationMs: Math.round(visit.durationMs + requestsMs) };
    },

    cancelWaiting: () => workers.cancelWaiting(),

    cancelAll() {
      local.cancelAll();
      workers.cancelAll();
    },
  };
}

/**
 * A client that answers from the exchanges of a worker, in their order. A request that is not among them, such as one to a third-party
 * host, is sent by `live`.
 */
function createReplayClient(
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
