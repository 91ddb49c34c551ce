import type { About } from '../directory/about.ts';
import { ROBOTS_TOKEN } from '../http/robots.ts';
import { INTERVALS, type IntervalName, intervalHours } from '../model/cadence.ts';
import type { Settings } from '../settings/schema.ts';
import { VERSION } from '../version.ts';

/** The returned function describes the crawler from the settings in force; it returns the same object until they change. */
export function createAbout(currentSettings: () => Settings): () => About {
  let cached: { settings: Settings; about: About } | null = null;
  return () => {
    const settings = currentSettings();
    if (cached?.settings !== settings) cached = { settings, about: describeCrawler(settings) };
    return cached.about;
  };
}

export function describeCrawler({
  contact,
  robots,
  softwareId,
  cadence,
  queue,
  network,
  retention,
}: Pick<Settings, 'contact' | 'robots' | 'softwareId' | 'cadence' | 'queue' | 'network' | 'retention'>): About {
  return {
    version: VERSION,
    userAgent: userAgentOf({ contact }),
    contact,
    robotsToken: ROBOTS_TOKEN,
    robots,
    softwareId,
    intervals: (Object.keys(INTERVALS) as IntervalName[]).map((after) => ({
      ...{ after, hours: intervalHours(cadence, after) },
      doubles: INTERVALS[after] === 'doubles',
    })),
    maxHours: cadence.maxHours,
    jitter: cadence.jitter,
    deadAfter: { failures: cadence.deadAfterFailures, days: cadence.deadAfterDays },
    limits: {
      visitsPerSecond: queue.visitsPerSecond,
      perAddress: queue.perAddress,
      perRegistrableDomain: queue.perRegistrableDomain,
      visitSeconds: network.timeouts.visitMs / 1_000,
      bodyKiB: Math.floor(network.maxBodyBytes / 1_024),
    },
    retention: {
      visitsDays: retention.visitsDays,
      documentsDays: retention.documentsDays,
      stepsDays: retention.stepsDays,
    },
  };
}

export function userAgentOf({ contact }: Pick<Settings, 'contact'>): string {
  return `Loopscout/${VERSION} (+${contact})`;
}
