/** What the crawler says of itself to those whose servers it visits; by the settings in force. */
export interface About {
  readonly version: string;
  readonly userAgent: string;
  /** A URL or a mail address. */
  readonly contact: string;
  /** The name that robots.txt can name it by. */
  readonly robotsToken: string;
  readonly robots: 'standard' | 'strict' | 'off';
  /** What a server has to call itself to be listed. */
  readonly softwareId: string;
  /** After which visits the next one is due when, in hours; whether that is doubled each time that it goes the same way. */
  readonly intervals: readonly { readonly what: string; readonly hours: number; readonly doubles: boolean }[];
  /** Where doubling ends, and Retry-After too. */
  readonly longestHours: number;
  /** A share by which each wait is made longer or shorter at random. */
  readonly jitter: number;
  /** Limits on visits; 0: none. */
  readonly limits: {
    readonly visitsPerSecond: number;
    readonly perAddress: number;
    readonly perRegistrableDomain: number;
    readonly visitSeconds: number;
    readonly bodyKiB: number;
  };
  readonly retention: { readonly visitsDays: number; readonly documentsDays: number; readonly stepsDays: number };
}
