import type { Identifier, LocalIdentifier } from '../../identify/identifier.ts';
import { createReplayClient } from './replay-client.ts';
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
