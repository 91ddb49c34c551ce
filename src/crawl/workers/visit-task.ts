import type { HostAddress } from '../../http/resolver.ts';
import type { VisitContext } from '../../identify/visit-context.ts';
import type { Domain } from '../../model/domain/domain.ts';
import type { CachedRobots } from '../../model/domain-record.ts';

/** What all tasks of a crawling process have in common. */
export interface TaskOptions {
  /** The version of this program, which workers must have too. */
  version: string;
  userAgent: string;
  /** Maximum duration of a visit with its waits, in milliseconds. */
  budgetMs: number;
}

/** Everything that a worker needs for one visit, as the data of a job. The worker contacts only these addresses. */
export interface VisitTask extends TaskOptions, Pick<VisitContext, 'softwareId' | 'robots' | 'allowSuffixes'> {
  domain: Domain;
  addresses: readonly HostAddress[];
  /** The robots.txt of an earlier visit; its body in base64. */
  cachedRobots: { readAt: number; body: string | null } | null;
}

export function createTask(
  { version, userAgent, budgetMs }: TaskOptions,
  { domain, addresses }: Pick<VisitTask, 'domain' | 'addresses'>,
  { softwareId, robots, allowSuffixes, cachedRobots }: VisitContext,
): VisitTask {
  const { readAt = 0, body = null } = cachedRobots ?? {};
  return {
    ...{ version, userAgent, budgetMs, domain, addresses, softwareId, robots, allowSuffixes },
    cachedRobots: cachedRobots && { readAt, body: body && Buffer.from(body).toString('base64') },
  };
}

export function cachedRobotsOf({ cachedRobots }: VisitTask): CachedRobots | null {
  const { readAt = 0, body = null } = cachedRobots ?? {};
  return cachedRobots && { readAt, body: body === null ? null : Buffer.from(body, 'base64') };
}
