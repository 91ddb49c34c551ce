import type { AddressGuard } from '../../http/address-guard.ts';
import { ADMIT_IMMEDIATELY, ALLOW_ALL_HOSTS, admitHost, NO_OPT_OUTS } from '../../http/admit-host.ts';
import type { Resolver } from '../../http/resolver.ts';
import type { HttpOptions } from '../../http/visit-client.ts';
import type { Identifier, IdentifierOptions } from '../../identify/identifier.ts';
import { PostponedVisit, rejectCycle } from '../../identify/identify.ts';
import { type Domain, hostOf } from '../../model/domain/domain.ts';
import { siteOf } from '../../model/domain/registrable-domain.ts';
import type { Step } from '../../model/step.ts';
import type { Visit } from '../../model/visit.ts';
import { isFailure } from '../../schedule/transition.ts';
import { nameOf } from './carry-out.ts';
import {
  type HostGrant,
  NotVisitedError,
  type VisitOptions,
  VisitorLostError,
  type Visitors,
  type VisitResult,
  type VisitTask,
} from './visit-task.ts';

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

type VisitedResult = Extract<VisitResult, { kind: 'visited' }>;

interface Limits {
  /** Sites that the visit may contact. */
  granted: Set<string>;
  mayPostpone: boolean;
}

/** More than a visit can need: three third-party hosts, and names of the visited site. */
const MAX_HOSTS = 12;

/**
 * An identifier whose visits run in other processes. Names are resolved here, and each further host of a visit is granted
 * or refused here.
 */
export function createDispatchingIdentifier(dispatch: DispatchOptions): Identifier {
  const { local, visitors, resolver, guard, options, now, isOptedOut = NO_OPT_OUTS } = dispatch;
  const { mayContactHost = ALLOW_ALL_HOSTS, admitThirdParty = ADMIT_IMMEDIATELY } = dispatch;
  let cancelled = new AbortController();
  /** Aborted by `cancelWaiting` and `cancelAll`; `cancelled` only by the latter. */
  let stopped = new AbortController();

  /** @throws {PostponedVisit} when the host has reached a limit and the visit may wait for it. */
  async function grantFor(url: URL, domain: Domain, granted: Set<string>, mayPostpone: boolean): Promise<HostGrant> {
    if (isOptedOut(url)) return { kind: 'refused' };
    const addresses = await admitHost(url, new Map(), guard, resolver);
    if (typeof addresses === 'string') return { kind: 'failed', failure: addresses };
    const site = siteOf(url.host);
    const isAllowed = granted.has(site) || mayContactHost(url, domain, addresses);
    if (isAllowed) granted.add(site);
    else if (mayPostpone) throw new PostponedVisit();
    return isAllowed ? { kind: 'allowed', addresses } : { kind: 'refused' };
  }

  /** Dispatches a task and its continuations until the visit ends. */
  async function runTask(
    first: VisitTask,
    { granted, mayPostpone, notFrom }: Limits & { notFrom?: string },
  ): Promise<VisitedResult> {
    const { signal } = cancelled;
    const { domain } = first;
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
        throw new NotVisitedError('the visit was cancelled before it was dispatched');
      }
      const result = await visitors.visit(task, notFrom).finally(release);
      if (result.kind === 'visited') return result;
      if (result.kind === 'expired') throw new VisitorLostError('the deadline of the visit passed');
      if (result.kind === 'unvisited') throw new NotVisitedError(result.why);
      if (result.kind === 'failed') throw new Error(`a visitor failed: ${result.message}`);
      const url = new URL(result.url);
      const grant = await grantFor(url, domain, granted, mayPostpone);
      task = { ...task, hosts: [...task.hosts, [nameOf(url.hostname), grant]], earlier: result.part };
    }
    throw new Error(`the visit of ${domain} needs more than ${MAX_HOSTS} hosts`);
  }

  /**
   * Repeats a failed visit from another vantage point, if there is one, and returns both as one visit. Without a result from there, the
   * failed visit counts.
   */
  async function confirm(failed: VisitedResult, task: VisitTask, limits: Limits): Promise<Visit> {
    const { visit, from } = failed;
    const { roster } = visitors;
    if (from === undefined || !roster?.hasOtherThan(from.name)) return visit;
    const { signal } = stopped;
    try {
      const second = await runTask(task, { ...limits, notFrom: from.name });
      if (!isFailure(second.visit.verdict, true)) roster.count(from, 'reachedElsewhere');
      return joinVisits(task.steps, failed, second);
    } catch (error) {
      const hasNoResult = error instanceof NotVisitedError || error instanceof VisitorLostError;
      if (signal.aborted || !hasNoResult) throw error;
      return visit;
    }
  }

  return {
    resolve: (domain) => local.resolve(domain),

    async identify({ builder, addresses }, { isFirst = false, mayPostpone = false, mustConfirmFailure = false } = {}) {
      const { domain, steps, host } = builder;
      const limits = { granted: new Set([siteOf(domain)]), mayPostpone };
      const task: VisitTask = {
        domain,
        steps,
        host,
        hosts: [[nameOf(hostOf(domain)), { kind: 'allowed', addresses }]],
        cachedRobots: isFirst ? null : (dispatch.cachedRobots?.(domain) ?? null),
        options,
        earlier: { exchanges: [], certificate: null },
      };
      const result = await runTask(task, limits);
      const isDoubtful = mustConfirmFailure && isFailure(result.visit.verdict, true);
      const visit = isDoubtful ? await confirm(result, task, limits) : result.visit;
      // The start by the clock of this process: the visitor's may be wrong.
      return rejectCycle({ ...visit, at: now() - visit.durationMs }, dispatch);
    },

    cancelWaiting() {
      stopped.abort();
      stopped = new AbortController();
      visitors.cancelWaiting?.();
    },

    cancelAll() {
      stopped.abort();
      stopped = new AbortController();
      cancelled.abort();
      cancelled = new AbortController();
      local.cancelAll();
      visitors.cancelAll();
    },
  };
}

/** The result of the second visit with the requests of both; each request has the name of its vantage point. */
function joinVisits(lookUpSteps: readonly Step[], first: VisitedResult, second: VisitedResult): Visit {
  const requestsOf = ({ visit, from }: VisitedResult) =>
    visit.steps.slice(lookUpSteps.length).map((step) => (from === undefined ? step : { ...step, from: from.name }));
  return {
    ...second.visit,
    durationMs: first.visit.durationMs + second.visit.durationMs,
    steps: [...lookUpSteps, ...requestsOf(first), ...requestsOf(second)],
  };
}
