import type { AddressGuard } from '../http/address-guard.ts';
import { limitAddresses } from '../http/admit-host.ts';
import type { HostAddress, Resolver } from '../http/resolver.ts';
import type { OpenVisitClient, VisitClient } from '../http/visit-client.ts';
import { type Domain, hostOf } from '../model/domain/domain.ts';
import type { Hosting } from '../model/facts/hosting.ts';
import type { Clock, EpochMs } from '../model/time.ts';
import type { Visit } from '../model/visit.ts';
import { declined, unreachable } from './decision.ts';
import { identify } from './identify.ts';
import { createVisitBuilder, type VisitBuilder } from './visit-builder.ts';
import type { VisitContext } from './visit-context.ts';

/** A visit whose host resolved to allowed addresses. */
export interface Resolved {
  builder: VisitBuilder;
  addresses: readonly HostAddress[];
}

/**
 * The two halves of a visit. Between them the caller waits for a slot, because the limits per address need the resolved addresses.
 */
export interface Identifier {
  resolve(domain: Domain): Promise<Resolved | Visit>;
  identify(resolved: Resolved, context: VisitContext): Promise<Visit>;
  /** Ends the visits that no worker has begun yet, or all if no worker can send a result. Absent if visits run in this process. */
  cancelWaiting?(): void;
  /** Ends every running visit at once; their results must not be recorded. */
  cancelAll(): void;
}

/** An identifier whose visits run in this process. */
export interface LocalIdentifier extends Identifier {
  /** A client for a visit, which `identify` closes. */
  openClient(resolved: Resolved): VisitClient;
  /** @param client of the visit. Default: a new one. */
  identify(resolved: Resolved, context: VisitContext, client?: VisitClient): Promise<Visit>;
}

/** What is known of an address; without the facts that no database was asked for. */
export type Locate = (address: string) => Partial<Hosting>;

export interface IdentifierOptions {
  resolver: Resolver;
  guard: AddressGuard;
  openClient: OpenVisitClient;
  /** Default: nothing is known. */
  locate?: Locate | undefined;
  now: () => EpochMs;
  clock: Clock;
}

export function createIdentifier(options: IdentifierOptions): LocalIdentifier {
  const { resolver, guard, openClient, locate = () => ({}), now, clock } = options;
  const clients = new Set<VisitClient>();
  const open = ({ builder, addresses }: Resolved) => openClient(hostOf(builder.domain), addresses);
  return {
    openClient: open,

    async resolve(domain) {
      const builder = createVisitBuilder(domain, now, clock);
      const host = hostOf(domain);
      const started = clock();
      const resolution = await resolver.resolve(host);
      const step = { probe: 'dns' as const, url: host, status: null, ms: Math.round(clock() - started), bytes: 0 };
      if (!resolution.ok) {
        builder.steps.push({ ...step, failure: resolution.failure });
        return builder.end(unreachable(resolution.failure));
      }
      const { addresses } = resolution;
      builder.host.ipv4 = addresses.some(({ family }) => family === 4);
      builder.host.ipv6 = addresses.some(({ family }) => family === 6);
      const forbidden = addresses
        .map(({ address }) => ({ address, row: guard(address) }))
        .find(({ row }) => row !== null);
      if (forbidden !== undefined) {
        const note = `${forbidden.address} is not public: ${forbidden.row?.what} (${forbidden.row?.source})`;
        builder.steps.push({ ...step, failure: 'forbidden-address', note });
        return builder.end(declined('forbidden-address'));
      }
      builder.steps.push({ ...step, failure: null });
      return { builder, addresses: limitAddresses(addresses) };
    },

    async identify(resolved, context, client = open(resolved)) {
      resolved.builder.begin();
      clients.add(client);
      try {
        const visit = await identify(resolved.builder, client, context);
        const address = addressOf(resolved, client, context);
        return address === null ? visit : { ...visit, host: { ...visit.host, address }, hosting: locate(address) };
      } finally {
        clients.delete(client);
        client.close();
      }
    },

    cancelAll() {
      for (const client of clients) client.close();
      resolver.cancel();
    },
  };
}

/** The address at which the host answered; the one known before while the name still has it, so that one of several addresses is no move. */
function addressOf(
  { builder, addresses }: Resolved,
  client: VisitClient,
  { knownAddress }: VisitContext,
): string | null {
  const answeredAt = client.answeredAt(hostOf(builder.domain));
  return answeredAt !== null && addresses.some(({ address }) => address === knownAddress) ? knownAddress : answeredAt;
}
