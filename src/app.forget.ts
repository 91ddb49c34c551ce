import type { App } from './app.ts';
import type { Domain } from './domain/domain.ts';
import { patiently } from './store/patiently.ts';

/** For another process that has the database locked. */
const PATIENCE_MS = 60_000;

export interface Forgotten {
  forgotten: Domain[];
  /** Those that had opted out before; nothing was left of them to purge. */
  already: Domain[];
}

/** Opts domains out for good and purges what is stored of them. The exported files hold them until the next export that is published. */
export async function forgetDomains(app: App, domains: readonly Domain[]): Promise<Forgotten> {
  const { already } = await patiently(() => app.store.forget(domains, Date.now()), { forMs: PATIENCE_MS });
  const before = new Set(already);
  return { forgotten: domains.filter((domain) => !before.has(domain)), already };
}
