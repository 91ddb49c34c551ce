import type { App } from '../../src/app/app.ts';
import { afterAdded } from '../../src/schedule/after-added.ts';
import { DAY } from './world.ts';

/** Changes domains in every way other than a visit: requested visits, lost leases, a new release. */
export function mutateDomains({ store }: App, at: number, day: number): void {
  using reader = store.reader();
  const domains = [...reader.domains()].map(({ domain }) => domain);
  const chosen = domains.filter((_, index) => (index + day) % 37 === 0);
  if (day % 5 === 0) store.requestVisit(chosen, at, 'requested by name');
  if (day % 5 === 1) store.reactivate(chosen, at, (before) => afterAdded(before, at, 'requested by name'));
  if (day % 5 === 2) store.abandonLeases(store.lease(20, at + 30 * DAY), at);
  if (day % 20 === 8) store.recordRelease(`1.${day}.0`, at);
}
