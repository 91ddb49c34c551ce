import * as z from 'zod';
import type { DomainOptions } from '../../model/domain/parse-domain.ts';
import { createListSource, type ListPlan } from '../read-list.ts';
import type { Source } from '../source.ts';
import { CrawledSourceSettings } from './crawled.ts';
import { CsvSourceSettings, createCsvSource } from './csv.ts';
import { FedidbSettings, fedidbPlan } from './fedidb.ts';
import { FediverseObserverSettings, fediverseObserverPlan } from './fediverse-observer.ts';
import { createFileSource, FileSourceSettings } from './file.ts';
import { JsonSourceSettings, jsonPlan } from './json.ts';
import { createPageSource, PageSourceSettings } from './page.ts';
import {
  LemmyFederatedSettings,
  lemmyFederatedPlan,
  MastodonPeersSettings,
  MisskeyInstancesSettings,
  mastodonPeersPlan,
  misskeyInstancesPlan,
  PeertubeFollowsSettings,
  peertubeFollowsPlan,
} from './peers.ts';

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

export function createSource(settings: Readonly<ExternalSourceSettings>, options: DomainOptions): Source {
  if (settings.type === 'file') return createFileSource(settings, options);
  if (settings.type === 'csv') return createCsvSource(settings, options);
  if (settings.type === 'page') return createPageSource(settings, options);
  return createListSource(settings, planOf(settings), options);
}

function planOf(settings: Readonly<Exclude<ExternalSourceSettings, { type: 'file' | 'csv' | 'page' }>>): ListPlan {
  switch (settings.type) {
    case 'json':
      return jsonPlan(settings);
    case 'mastodon-peers':
      return mastodonPeersPlan(settings);
    case 'lemmy-federated':
      return lemmyFederatedPlan(settings);
    case 'misskey-instances':
      return misskeyInstancesPlan(settings);
    case 'peertube-follows':
      return peertubeFollowsPlan(settings);
    case 'fediverse-observer':
      return fediverseObserverPlan(settings);
    case 'fedidb':
      return fedidbPlan(settings);
  }
}
