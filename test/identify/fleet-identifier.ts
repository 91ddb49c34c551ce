import { createSecureContext } from 'node:tls';
import { createAddressGuard } from '../../src/http/address-guard.ts';
import { createResolver } from '../../src/http/resolver.ts';
import { createHttp, type HttpOptions } from '../../src/http/visit-client.ts';
import { createIdentifier, type Identifier, type Resolved } from '../../src/identify/identifier.ts';
import type { RobotsMode } from '../../src/identify/visit-context.ts';
import type { Visit } from '../../src/model/visit.ts';
import { type Fleet, type FleetHost, kinds } from '../../src/reference/index.ts';
import { domainOf, expectConsistentVisit } from './scripted-visit.ts';
import { visitContext } from './visit-context.ts';

// The kinds of weight 0 are those that stall.
export const quick = kinds.filter(({ weight }) => weight !== 0);
export const stalling = kinds.filter(({ weight }) => weight === 0);

interface Variation extends Partial<HttpOptions> {
  robots?: RobotsMode;
  allow?: string[];
  dnsTimeoutMs?: number;
  now?: () => number;
}

export function identifierFor(
  fleet: Fleet,
  { robots = 'standard', allow = ['127.0.0.1/32'], dnsTimeoutMs = 5_000, now = Date.now, ...http }: Variation = {},
): Omit<Identifier, 'identify'> & { identify(resolved: Resolved): Promise<Visit> } {
  const guard = createAddressGuard(allow);
  const resolver = createResolver({ servers: [fleet.dnsServer], timeoutMs: dnsTimeoutMs });
  const { clock = () => performance.now() } = http;
  const openClient = createHttp({
    secureContext: createSecureContext({ ca: fleet.caPem }),
    guard,
    resolver,
    clock,
    userAgent: 'Loopscout/0.0.0 (+https://loopscout.example)',
    connectMs: 10_000,
    responseMs: 10_000,
    visitMs: 15_000,
    maxBodyBytes: 262_144,
    ...http,
  });
  const identifier = createIdentifier({
    resolver,
    guard,
    openClient,
    clock,
    now,
  });
  const context = visitContext({ robots, now });
  return { ...identifier, identify: (resolved) => identifier.identify(resolved, context) };
}

export async function visitWith(identifier: ReturnType<typeof identifierFor>, { domain }: FleetHost): Promise<Visit> {
  const resolved = await identifier.resolve(domainOf(domain));
  const visit = 'verdict' in resolved ? resolved : await identifier.identify(resolved);
  expectConsistentVisit(visit);
  return visit;
}

export function hostOfKind(fleet: Fleet, kind: string): FleetHost {
  const host = fleet.hosts.find((each) => each.kind === kind);
  if (host === undefined) throw new Error(`The fleet has no ${kind}.`);
  return host;
}
