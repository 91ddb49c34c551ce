import type { App } from '../../src/app/app.ts';
import { afterAdded } from '../../src/schedule/after-added.ts';
import { DAY } from './world.ts';

/** Moves domains in every way that is no visit: they are asked for, their leases are lost, a release comes out. */
export function meddle({ store }: App, at: number, day: number): void {
  using reader = store.reader();
  const domains = [...reader.domains()].map(({ domain }) => domain);
  const some = domains.filter((_, index) => (index + day) % 37 === 0);
  if (day % 5 === 0) store.requestVisit(some, at, 'asked for by name');
  if (day % 5 === 1) store.reactivate(some, at, (before) => afterAdded(before, at, 'asked for by name'));
  if (day % 5 === 2) store.abandonLeases(store.lease(20, at + 30 * DAY), at);
  if (day % 20 === 8) store.recordRelease(`1.${day}.0`, at);
}
