import * as z from 'zod';
import type { DomainOptions } from '../../model/domain/parse-domain.ts';
import { createPageSource, PageSourceSettings } from '../formats/page.ts';
import type { Source } from '../source.ts';
import { CrawledSourceSettings } from './crawled.ts';
import { CsvSourceSettings, createCsvSource } from './csv.ts';
import { createFedidbSource, FedidbSettings } from './fedidb.ts';
import { createFediverseObserverSource, FediverseObserverSettings } from './fediverse-observer.ts';
import { createFileSource, FileSourceSettings } from './file.ts';
import { createJsonSource, JsonSourceSettings } from './json.ts';
import { createLemmyFederatedSource, LemmyFederatedSettings } from './lemmy-federated.ts';
import { createMastodonPeersSource, MastodonPeersSettings } from './mastodon-peers.ts';
import { createMisskeyInstancesSource, MisskeyInstancesSettings } from './misskey-instances.ts';
import { createPeertubeFollowsSource, PeertubeFollowsSettings } from './peertube-follows.ts';

/** One entry of `sources` in the settings: every kind of source, discriminated by `type`. */
export const SourceSettings = z
  .discriminatedUnion('type', [
    FileSourceSettings,
    JsonSourceSettings,
    CsvSourceSettings,
    PageSourceSettings,
    MastodonPeersSettings,
    LemmyFederatedSettings,
    MisskeyInstancesSettings,
    PeertubeFollowsSettings,
    FediverseObserverSettings,
    FedidbSettings,
    CrawledSourceSettings,
  ])
  .describe('Where candidate domains come from.');
export type SourceSettings = z.infer<typeof SourceSettings>;

/** The keys whose values are paths, by kind. Relative paths start at the folder of the settings file. */
export const sourcePathKeys: { readonly [Type in SourceSettings['type']]?: readonly string[] } = { file: ['path'] };

/** An entry that reads a file or the web, and needs no data of the crawl. */
export type ExternalSourceSettings = Exclude<SourceSettings, { type: 'crawled' }>;

/** Creates the source for an entry of the settings. */
export function createSource(settings: Readonly<ExternalSourceSettings>, options: DomainOptions): Source {
  switch (settings.type) {
    case 'file':
      return createFileSource(settings, options);
    case 'json':
      return createJsonSource(settings, options);
    case 'csv':
      return createCsvSource(settings, options);
    case 'page':
      return createPageSource(settings, options);
    case 'mastodon-peers':
      return createMastodonPeersSource(settings, options);
    case 'lemmy-federated':
      return createLemmyFederatedSource(settings, options);
    case 'misskey-instances':
      return createMisskeyInstancesSource(settings, options);
    case 'peertube-follows':
      return createPeertubeFollowsSource(settings, options);
    case 'fediverse-observer':
      return createFediverseObserverSource(settings, options);
    case 'fedidb':
      return createFedidbSource(settings, options);
  }
}
