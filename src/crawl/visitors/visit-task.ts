import type { Certificate } from '../../http/certificate.ts';
import type { HttpFailure } from '../../http/failure.ts';
import type { HostAddress } from '../../http/resolver.ts';
import type { HttpResult } from '../../http/visit-client.ts';
import type { IdentifyOptions } from '../../identify/identify.ts';
import type { Domain } from '../../model/domain/domain.ts';
import type { CachedRobots } from '../../model/domain-record.ts';
import type { HostFacts } from '../../model/facts/host-facts.ts';
import type { Step } from '../../model/step.ts';
import type { Visit } from '../../model/visit.ts';
import type { Roster, WorkerIdentity } from './roster.ts';

/** Everything that a visitor in another process needs for one visit. The visitor contacts only hosts in `hosts`. */
export interface VisitTask {
  domain: Domain;
  /** The steps before the visit: the look-up of the name. */
  steps: readonly Step[];
  host: HostFacts;
  /** Pairs of a host name, without port, and the grant. */
  hosts: readonly (readonly [name: string, grant: HostGrant])[];
  cachedRobots: CachedRobots | null;
  options: VisitOptions;
  /** The part of the visit that has already run. */
  earlier: VisitPart;
}

export interface VisitOptions extends Pick<IdentifyOptions, 'softwareId' | 'robots' | 'allowSuffixes'> {
  userAgent: string;
}

/** Whether a visit may contact a host, as decided by the crawling process. */
export type HostGrant =
  | { kind: 'allowed'; addresses: readonly HostAddress[] }
  /** The host opted out, or has reached a limit. */
  | { kind: 'refused' }
  /** The host has no usable address. */
  | { kind: 'failed'; failure: HttpFailure };

/** The requests of a visit so far, with their results. */
export interface VisitPart {
  exchanges: readonly Exchange[];
  /** The certificate of the visited host; null when it is not known. */
  certificate: Certificate | null;
}

export interface Exchange {
  url: string;
  /** The request target, when it is not that of the URL. */
  target: string | undefined;
  result: HttpResult;
}

export type VisitResult =
  /** `from`: the vantage point, if visitors have several. */
  | { kind: 'visited'; visit: Visit; from?: WorkerIdentity }
  /** The visit leads to a host that is not in the task. It continues once the crawling process has decided about the host. */
  | { kind: 'needs'; url: string; part: VisitPart }
  /** The deadline passed before the visit ended; nothing is known about the host. */
  | { kind: 'expired' }
  /** The visitor cannot visit this host now, for a reason of its own. */
  | { kind: 'unvisited'; why: string }
  /** A bug of ours. */
  | { kind: 'failed'; message: string };

/** Runs visits in other processes. */
export interface Visitors {
  /**
   * @param notFrom a vantage point that must not run the visit. Default: none.
   * @throws {VisitorLostError} when the visitor died, or did not answer before its deadline.
   * @throws {NotVisitedError} when the visit was cancelled, or no visitor began it in time.
   * @throws {NoVisitorError} when no visitor can be started.
   */
  visit(task: VisitTask, notFrom?: string): Promise<VisitResult>;
  /** The workers; undefined when all visits have one vantage point. */
  readonly roster?: Pick<Roster, 'hasOtherThan' | 'count'>;
  /** Ends the visits that no visitor has begun, or all if no result can arrive. */
  cancelWaiting?(): void;
  /** Ends all visits: they reject once no child process runs them; a worker may still run one, whose result is ignored. */
  cancelAll(): void;
}

/** A visit has no result, because its visitor died or did not answer in time. */
export class VisitorLostError extends Error {
  override readonly name = 'VisitorLostError';
}

/** A visit has no result, because it was cancelled or its visitor could not carry it out. */
export class NotVisitedError extends Error {
  override readonly name = 'NotVisitedError';
}

/** No visitor can be started. */
export class NoVisitorError extends Error {
  override readonly name = 'NoVisitorError';
  readonly kind = 'failure';
}
