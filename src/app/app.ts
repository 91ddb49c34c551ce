import { createHourlyLimit } from '../crawl/hourly-limit.ts';
import { ThirdPartyLimits } from '../crawl/third-party-limits.ts';
import { optOutsOf } from '../http/admit-host.ts';
import { HostingDatabases } from '../identify/hosting/hosting-databases.ts';
import type { Logger } from '../logger.ts';
import { Crawler, type CrawlerParts } from '../service/crawler.ts';
import { runOnThread } from '../service/tasks/tasks.ts';
import type { Settings } from '../settings/schema.ts';
import { readEngineUrl } from '../settings/settings.ts';
import { openStore } from '../store/open-store.ts';
import { createNetwork, httpOptionsOf } from './network.ts';

/** Parts that tests replace. */
export type Overrides = Partial<
  Pick<CrawlerParts, 'now' | 'clock' | 'random' | 'identifier' | 'connectivity' | 'background'>
>;

/**
 * Opens the database and makes a crawler from the settings.
 *
 * @throws {StoreError} {CaFileError} {HostingDatabaseError} when the database or a file of `network` cannot be used.
 */
export async function createApp(settings: Settings, logger: Logger, overrides: Overrides = {}): Promise<Crawler> {
  const { now = Date.now, random = Math.random, clock = () => performance.now(), background = runOnThread } = overrides;
  // Before the database is created, because it can refuse the settings.
  const http = httpOptionsOf(settings, { now, clock });
  const hosting = new HostingDatabases(settings.network, (message) => logger.warn(message));
  const store = await openStore({ path: settings.database });
  const reader = store.reader();
  const optOuts = optOutsOf(store.optOuts);
  const hourlyLimit = createHourlyLimit(clock);
  const thirdPartyLimits = new ThirdPartyLimits({ hourlyLimit, domains: reader.domains, now }, settings.queue);
  const network = createNetwork(settings, {
    now,
    clock,
    locate: (address) => hosting.locate(address),
    http: { ...http, optOuts, thirdParties: thirdPartyLimits },
    log: logger,
    store: store.crawler,
    engineUrl: readEngineUrl(settings),
  });
  const { identifier = network.identifier, connectivity = network.connectivity } = overrides;
  return new Crawler({
    ...{ settings, logger, store, identifier, connectivity, optOuts, hourlyLimit, thirdPartyLimits, network, hosting },
    ...{ background, now, clock, random },
    async dispose() {
      identifier.cancelAll();
      reader[Symbol.dispose]();
      await store[Symbol.asyncDispose]();
    },
  });
}
