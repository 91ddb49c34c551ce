import { ROBOTS_TOKEN } from '../http/robots.ts';
import type { Settings } from '../settings/schema.ts';
import { VERSION } from '../version.ts';
import type { About, IntervalName } from '../views/about.ts';

/** The returned function describes the crawler from the settings in force; it returns the same object until they change. */
export function createAbout(currentSettings: () => Settings): () => About {
  let cached: { settings: Settings; about: About } | null = null;
  return () => {
    const settings = currentSettings();
    if (cached?.settings !== settings) cached = { settings, about: describeCrawler(settings) };
    return cached.about;
  };
}

/** Every interval between visits, in the order of the page, and whether it doubles with each further visit of the same outcome. */
const INTERVALS: Readonly<Record<IntervalName, 'fixed' | 'doubles'>> = {
  loopsHours: 'fixed',
  otherHours: 'fixed',
  unidentifiedHours: 'doubles',
  unidentifiedOnceLoopsHours: 'doubles',
  aliasHours: 'fixed',
  timeoutHours: 'doubles',
  serverErrorHours: 'doubles',
  connectHours: 'doubles',
  tlsHours: 'doubles',
  dnsFailureHours: 'doubles',
  nxdomainHours: 'doubles',
  nxdomainOnceLoopsHours: 'doubles',
  robotsHours: 'fixed',
  rateLimitedHours: 'fixed',
  goneHours: 'fixed',
  forbiddenAddressHours: 'fixed',
  deadHours: 'fixed',
};

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
      ...{ after, hours: cadence[after] },
      doubles: INTERVALS[after] === 'doubles',
    })),
    maxHours: cadence.maxHours,
    jitter: cadence.jitter,
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

/** The User-Agent of every request. */
export function userAgentOf({ contact }: Pick<Settings, 'contact'>): string {
  return `Loopscout/${VERSION} (+${contact})`;
}
