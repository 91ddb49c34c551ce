import type { App } from '../../src/app/app.ts';
import { afterAdded } from '../../src/crawl/schedule/after-added.ts';
import { DAY } from './world.ts';

/** Changes domains in ways other than a visit: a requested visit, a reactivation, a crash, a new release; which of them depends on the day. */
export function mutateDomains({ store }: App, at: number, day: number): void {
  using reader = store.reader();
  const domains = [...reader.domains()].map(({ domain }) => domain);
  // A different 37th of the domains each day.
  const chosen = domains.filter((_, index) => (index + day) % 37 === 0);
  if (day % 5 === 0) store.requestVisit(chosen, at, { why: 'requested by name' });
  if (day % 5 === 1) store.reactivate(chosen, at, (before) => afterAdded(before, at, 'requested by name'));
  // Up to 20 domains, also those that are not due yet.
  if (day % 5 === 2) store.due.countCrash(store.due.pick(20, at + 30 * DAY), at);
  if (day % 20 === 8) store.recordRelease(`1.${day}.0`, at);
}
