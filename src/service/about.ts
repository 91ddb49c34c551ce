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
      fixedInterval('that found a Loops instance', cadence.loopsHours),
      fixedInterval('that found other software', cadence.otherHours),
      doublingInterval('that was inconclusive', cadence.unidentifiedHours),
      doublingInterval('that was inconclusive, to a host that was Loops before', cadence.unidentifiedOnceLoopsHours),
      fixedInterval('that led to another host', cadence.aliasHours),
      doublingInterval('that timed out', cadence.timeoutHours),
      doublingInterval('that got a server error', cadence.serverErrorHours),
      doublingInterval('to a host that refused the connection or was unreachable', cadence.connectHours),
      doublingInterval('that failed in TLS, for example because of an expired certificate', cadence.tlsHours),
      doublingInterval('to a name whose DNS servers did not answer', cadence.dnsFailureHours),
      doublingInterval('to a name that does not exist', cadence.nxdomainHours),
      doublingInterval('to a name that no longer exists and was Loops before', cadence.nxdomainOnceLoopsHours),
      fixedInterval('that robots.txt forbade', cadence.robotsHours),
      fixedInterval('that was answered 429 Too Many Requests, at least', cadence.rateLimitedHours),
      fixedInterval('that was answered 410 Gone', cadence.goneHours),
      fixedInterval('to a name with an address that is not public', cadence.forbiddenAddressHours),
      fixedInterval('to a host that has not answered for a long time', cadence.deadHours),
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

/** An interval after a visit. `what` completes the phrase "After a visit". */
const fixedInterval = (what: string, hours: number) => ({ what, hours, doubles: false });
/** An interval that doubles with each visit of the same outcome. `what` completes the phrase "After a visit". */
const doublingInterval = (what: string, hours: number) => ({ what, hours, doubles: true });

/** The User-Agent of every request. */
export function userAgentOf({ contact }: Pick<Settings, 'contact'>): string {
  return `Loopscout/${VERSION} (+${contact})`;
}
