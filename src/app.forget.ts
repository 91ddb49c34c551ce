import type { App } from './app.ts';
import type { Domain } from './domain/domain.ts';
import { retryWhileLocked } from './store/retry-while-locked.ts';

export interface Forgotten {
  forgotten: Domain[];
  /** Those that had opted out before; nothing was left of them to purge. */
  already: Domain[];
}

/** Opts domains out for good and purges what is stored of them. The exported files hold them until the next export that is published. */
export async function forgetDomains(app: App, domains: readonly Domain[]): Promise<Forgotten> {
  const { already } = await retryWhileLocked(() => app.store.forget(domains, Date.now()));
  const before = new Set(already);
  return { forgotten: domains.filter((domain) => !before.has(domain)), already };
}
