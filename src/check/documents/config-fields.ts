/** A field of the configuration (specification 2.5). */
export interface ConfigField {
  /** The names that it goes by, the specified one first. */
  paths: readonly [string, ...string[]];
  /** The first release of Loops that has it. */
  since: string;
}

/** All of them but `app.software`, which has rules of its own. */
export const CONFIG_FIELDS: readonly ConfigField[] = [
  { paths: ['app.name'], since: '1.0.0-beta.6' },
  { paths: ['app.url'], since: '1.0.0-beta.6' },
  { paths: ['app.description'], since: '1.0.0-beta.6' },
  { paths: ['app.version'], since: '1.0.0-beta.6' },
  { paths: ['media.max_video_size'], since: '1.0.0-beta.6' },
  { paths: ['media.max_video_duration'], since: '1.0.0-beta.6' },
  { paths: ['media.allowed_video_formats'], since: '1.0.0-beta.6' },
  { paths: ['fyf'], since: '1.0.0-beta.6' },
  { paths: ['registration'], since: '1.0.0-beta.6' },
  { paths: ['registration_mode'], since: '1.0.0-beta.11' },
  { paths: ['federation'], since: '1.0.0-beta.6' },
  { paths: ['pushNotifications'], since: '1.0.0-beta.9' },
  { paths: ['starterKits'], since: '1.0.0-beta.11' },
  { paths: ['atomFeeds'], since: '1.0.0-beta.11' },
  // The live name carries the brand of the provider.
  { paths: ['hasGifProvider', 'hasKlipy'], since: '1.0.0-beta.11' },
  { paths: ['account.max_bio_length'], since: '1.0.0-beta.13' },
];
