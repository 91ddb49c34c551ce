import * as z from 'zod';
import type { DomainOptions } from '../../model/domain/parse-domain.ts';
import { ownValue } from '../formats/json-items.ts';
import type { Source } from '../source.ts';
import { createListSource } from './create-list-source.ts';
import { serverUrl, webSourceSettings } from './source-settings.ts';

/** What the settings say of a Lemmy server. */
export const LemmyFederatedSettings = z
  .strictObject({
    ...webSourceSettings,
    type: z.literal('lemmy-federated').describe('The servers that a Lemmy server is linked with.'),
    url: serverUrl('The server: https://lemmy.example.'),
  })
  .describe('GET /api/v3/federated_instances of Lemmy, PieFed and others; those that it blocks are left out.');
export type LemmyFederatedSettings = z.infer<typeof LemmyFederatedSettings>;

/** Linked servers are `{domain, software, version}`, in Lemmy 0.17 and before plain hosts. Without federation, `null` stands there. */
export function createLemmyFederatedSource(settings: Readonly<LemmyFederatedSettings>, domains: DomainOptions): Source {
  return createListSource(settings, domains, {
    first: {
      url: new URL('/api/v3/federated_instances', settings.url),
      entries: ['federated_instances', 'linked', '*'],
      complaint: ['error'],
      read: (entry) =>
        typeof entry === 'string'
          ? { host: entry }
          : { host: ownValue(entry, ['domain']), software: ownValue(entry, ['software']) },
    },
  });
}
