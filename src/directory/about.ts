import type { IntervalName } from '../model/cadence.ts';

/** The crawler's description for operators of visited servers, from the settings in force. */
export interface About {
  readonly version: string;
  readonly userAgent: string;
  /** A URL or a mail address. */
  readonly contact: string;
  /** The user-agent token for robots.txt. */
  readonly robotsToken: string;
  readonly robots: 'standard' | 'strict' | 'off';
  /** The software id that a listed server reports. */
  readonly softwareId: string;
  /** The wait in hours after each kind of visit, and whether it doubles when repeated. */
  readonly intervals: readonly { readonly after: IntervalName; readonly hours: number; readonly doubles: boolean }[];
  /** Upper limit of doubling and of Retry-After. */
  readonly maxHours: number;
  /** Maximum random share by which each wait varies. */
  readonly jitter: number;
  /** A domain is dead after more failed visits in a row than this, over more days than this. */
  readonly deadAfter: { readonly failures: number; readonly days: number };
  /** Limits on visits; 0 visits per second, per address or per registrable domain means no limit. */
  readonly limits: {
    readonly visitsPerSecond: number;
    readonly perAddress: number;
    readonly perRegistrableDomain: number;
    readonly visitSeconds: number;
    readonly bodyKiB: number;
  };
  readonly retention: { readonly visitsDays: number; readonly documentsDays: number; readonly stepsDays: number };
}
