import { type App, createApp, type Overrides } from './app.ts';

/** At a time, and a second: beside the passes of the service, not in their place. */
const FEW = 4;

/** A program of its own on the same database and by the same settings, for a few visits beside those of the service. */
export function createVisitor({ settings, logger }: App, overrides: Pick<Overrides, 'mayAskGuest'>): Promise<App> {
  const { concurrency, visitsPerSecond } = settings.queue;
  const queue = {
    ...settings.queue,
    concurrency: Math.min(concurrency, FEW),
    visitsPerSecond: visitsPerSecond === 0 ? FEW : Math.min(visitsPerSecond, FEW),
  };
  return createApp({ ...settings, queue }, logger, overrides);
}
