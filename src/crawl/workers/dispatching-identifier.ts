import type { AddressGuard } from '../../http/address-guard.ts';
import { ADMIT_IMMEDIATELY, ALLOW_ALL_HOSTS, admitHost, NO_OPT_OUTS } from '../../http/admit-host.ts';
import type { Resolver } from '../../http/resolver.ts';
import type { HttpOptions } from '../../http/visit-client.ts';
import type { Identifier, IdentifierOptions } from '../../identify/identifier.ts';
import { rejectCycle } from '../../identify/identify.ts';
import { type Domain, hostOf } from '../../model/domain/domain.ts';
import { siteOf } from '../../model/domain/registrable-domain.ts';
import type { Visit } from '../../model/visit.ts';
import { nameOf } from './carry-out.ts';
import { VisitError } from './visit-error.ts';
import type { HostGrant, VisitOptions, Visitors, VisitTask } from './visit-task.ts';

export interface DispatchOptions
  extends Pick<IdentifierOptions, 'isOptedOut' | 'mayContactHost' | 'cachedRobots' | 'aliasOf' | 'now'>,
    Pick<HttpOptions, 'admitThirdParty'> {
  /** Resolves the names of visits. */
  local: Identifier;
  visitors: Visitors;
  resolver: Resolver;
  guard: AddressGuard;
  options: VisitOptions;
}

/** More than a visit can need: three third-party hosts, and names of the visited site. */
const MAX_HOSTS = 12;

/**
 * An identifier whose visits are carried out by workers. Names are resolved here, and each further host of a visit is granted
 * or refused here.
 */
export function createDispatchingIdentifier(dispatch: DispatchOptions): Identifier {
  const { local, visitors, resolver, guard, options, now, isOptedOut = NO_OPT_OUTS } = dispatch;
  const { mayContactHost = ALLOW_ALL_HOSTS, admitThirdParty = ADMIT_IMMEDIATELY } = dispatch;
  let cancelled = new AbortController();

  async function grantFor(url: URL, domain: Domain, granted: Set<string>, isSubmission: boolean): Promise<HostGrant> {
    if (isOptedOut(url)) return { kind: 'refused' };
    const addresses = await admitHost(url, new Map(), guard, resolver);
    if (typeof addresses === 'string') return { kind: 'failed', failure: addresses };
    const site = siteOf(url.host);
    const isAllowed = granted.has(site) || mayContactHost(url, { domain, isSubmission }, addresses);
    if (isAllowed) granted.add(site);
    return isAllowed ? { kind: 'allowed', addresses } : { kind: 'refused' };
  }

  /** Dispatches a task and its continuations until the visit ends. */
  async function runTask(first: VisitTask, isSubmission: boolean): Promise<Visit> {
    const { signal } = cancelled;
    const { domain } = first;
    const granted = new Set([siteOf(domain)]);
    const [[, ownGrant] = []] = first.hosts;
    const ownAddresses = new Set(ownGrant?.kind === 'allowed' ? ownGrant.addresses.map(({ address }) => address) : []);
    let task = first;
    while (task.hosts.length <= MAX_HOSTS) {
      const elsewhere = task.hosts
        .flatMap(([, grant]) => (grant.kind === 'allowed' ? grant.addresses : []))
        .filter(({ address }) => !ownAddresses.has(address));
      const release = elsewhere.length === 0 ? undefined : await admitThirdParty(elsewhere);
      if (signal.aborted) {
        release?.();
        throw new VisitError('not-visited', 'the visit was cancelled before it was dispatched');
      }
      const result = await visitors.visit(task).finally(release);
      if (result.kind === 'visited') return result.visit;
      if (result.kind === 'expired') throw new VisitError('lost', 'the deadline of the visit passed');
      if (result.kind === 'unvisited') throw new VisitError('not-visited', result.why);
      if (result.kind === 'failed') throw new Error(`a visitor failed: ${result.message}`);
      const url = new URL(result.url);
      const grant = await grantFor(url, domain, granted, isSubmission);
      task = { ...task, hosts: [...task.hosts, [nameOf(url.hostname), grant]], earlier: result.part };
    }
    throw new Error(`the visit of ${domain} needs more than ${MAX_HOSTS} hosts`);
  }

  return {
    resolve: (domain) => local.resolve(domain),

    async identify({ builder, addresses }, { isFirst = false, isSubmission = false } = {}) {
      const { domain, steps, host } = builder;
      const task: VisitTask = {
        domain,
        steps,
        host,
        hosts: [[nameOf(hostOf(domain)), { kind: 'allowed', addresses }]],
        cachedRobots: isFirst ? null : (dispatch.cachedRobots?.(domain) ?? null),
        options,
        earlier: { exchanges: [], certificate: null },
      };
      const visit = await runTask(task, isSubmission);
      // The start by the clock of this process: the worker's may be wrong.
      return rejectCycle({ ...visit, at: now() - visit.durationMs }, dispatch);
    },

    cancelWaiting: () => visitors.cancelWaiting(),

    cancelAll() {
      cancelled.abort();
      cancelled = new AbortController();
      local.cancelAll();
      visitors.cancelAll();
    },
  };
}
