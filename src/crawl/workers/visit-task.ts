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

/** Everything that a worker needs for one visit. It contacts only hosts in `hosts`. */
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
  | { kind: 'visited'; visit: Visit }
  /** The visit leads to a host that is not in the task. It continues once the crawling process has decided about the host. */
  | { kind: 'needs'; url: string; part: VisitPart }
  /** The deadline passed before the visit ended; nothing is known about the host. */
  | { kind: 'expired' }
  /** The worker cannot visit this host now, for a reason of its own. */
  | { kind: 'unvisited'; why: string }
  /** A bug of ours. */
  | { kind: 'failed'; message: string };

/** Sends visits to workers. */
export interface Visitors {
  /** @throws {VisitError} */
  visit(task: VisitTask): Promise<VisitResult>;
  /** Ends the visits that no worker has begun, or all if no result can arrive. */
  cancelWaiting(): void;
  /** Ends all visits. A worker may still run one; its result is ignored. */
  cancelAll(): void;
}
