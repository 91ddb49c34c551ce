import type { About } from '../api/pages/about.ts';
import { ROBOTS_TOKEN } from '../http/robots.ts';
import type { Settings } from '../settings/schema.ts';
import { VERSION } from '../version.ts';

/** Describes the crawler by the settings in force. Returns the same object until they change. */
export function createAbout(currentSettings: () => Settings): () => About {
  let cached: { settings: Settings; about: About } | null = null;
  return () => {
    const settings = currentSettings();
    if (cached?.settings !== settings) cached = { settings, about: describe(settings) };
    return cached.about;
  };
}

function describe({ contact, robots, softwareId, cadence, queue, network, retention }: Settings): About {
  return {
    version: VERSION,
    userAgent: userAgentOf({ contact }),
    contact,
    robotsToken: ROBOTS_TOKEN,
    robots,
    softwareId,
    intervals: [
      every('that found a Loops instance', cadence.loopsHours),
      every('that found other software', cadence.otherHours),
      doubling('that was inconclusive', cadence.unidentifiedHours),
      doubling('that was inconclusive, to a host that was Loops before', cadence.unidentifiedOnceLoopsHours),
      every('that led to another host', cadence.aliasHours),
      doubling('that timed out', cadence.timeoutHours),
      doubling('that got a server error', cadence.serverErrorHours),
      doubling('to a host that refused the connection or was unreachable', cadence.connectHours),
      doubling('that failed in TLS, for example because of an expired certificate', cadence.tlsHours),
      doubling('to a name whose DNS servers did not answer', cadence.dnsFailureHours),
      doubling('to a name that does not exist', cadence.nxdomainHours),
      doubling('to a name that no longer exists and was Loops before', cadence.nxdomainOnceLoopsHours),
      every('that robots.txt forbade', cadence.robotsHours),
      every('that was answered 429 Too Many Requests, at least', cadence.rateLimitedHours),
      every('that was answered 410 Gone', cadence.goneHours),
      every('to a name with an address that is not public', cadence.forbiddenAddressHours),
      every('to a host that has not answered for a long time', cadence.deadHours),
    ],
    longestHours: cadence.maxHours,
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

const every = (what: string, hours: number) => ({ what, hours, doubles: false });
const doubling = (what: string, hours: number) => ({ what, hours, doubles: true });

/** The User-Agent of every request. */
export function userAgentOf({ contact }: Pick<Settings, 'contact'>): string {
  return `Loopscout/${VERSION} (+${contact})`;
}
