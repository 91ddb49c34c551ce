import * as z from 'zod';
import type { DomainOptions } from '../../model/domain/parse-domain.ts';
import { ownValue } from '../formats/json-items.ts';
import type { ListPage } from '../formats/list-page.ts';
import type { Source } from '../source.ts';
import { createListSource } from './create-list-source.ts';
import { serverUrl, webSourceSettings } from './source-settings.ts';

export const LemmyFederatedSettings = z
  .strictObject({
    ...webSourceSettings,
    type: z.literal('lemmy-federated').describe('The servers linked with a Lemmy or PieFed server.'),
    url: serverUrl('The server: https://lemmy.example.'),
  })
  .describe(
    'GET /api/v3/federated_instances of Lemmy and others or, where it does not exist, /api/alpha/federated_instances of PieFed; servers it blocks are omitted.',
  );
export type LemmyFederatedSettings = z.infer<typeof LemmyFederatedSettings>;

/** Linked servers are `{domain, software, version}`, or plain hosts in Lemmy 0.17 and older. Without federation, the value is `null`. */
export function createLemmyFederatedSource(settings: Readonly<LemmyFederatedSettings>, domains: DomainOptions): Source {
  const pageAt = (path: string): ListPage => ({
    url: new URL(path, settings.url),
    entries: ['federated_instances', 'linked', '*'],
    errorPath: ['error'],
    read: (entry) =>
      typeof entry === 'string'
        ? { host: entry }
        : { host: ownValue(entry, ['domain']), software: ownValue(entry, ['software']) },
  });
  const fallback = pageAt('/api/alpha/federated_instances');
  return createListSource(settings, domains, { first: { ...pageAt('/api/v3/federated_instances'), fallback } });
}
