import * as z from 'zod';
import type { DomainOptions } from '../../model/domain/parse-domain.ts';
import { ownValue } from '../formats/json-items.ts';
import type { Source } from '../source.ts';
import { createListSource } from './create-list-source.ts';
import { softwareSetting, webSourceSettings, webUrl } from './source-settings.ts';

/** What the settings say of Fediverse Observer. */
export const FediverseObserverSettings = z
  .strictObject({
    ...webSourceSettings,
    type: z.literal('fediverse-observer').describe('The directory Fediverse Observer.'),
    url: webUrl('Its GraphQL endpoint.').default('https://api.fediverse.observer/'),
    software: softwareSetting,
    status: z
      .enum(['UP', 'ALL'])
      .default('UP')
      .describe('UP: those that answered it last. ALL: those that it has lost sight of too.'),
  })
  .describe('One GraphQL query, answered in one piece.');
export type FediverseObserverSettings = z.infer<typeof FediverseObserverSettings>;

/** `{"data": {"nodes": [{domain, softwarename}]}}`; a query that it does not understand is answered 200 with `errors`. */
export function createFediverseObserverSource(
  settings: Readonly<FediverseObserverSettings>,
  domains: DomainOptions,
): Source {
  const { software, status } = settings;
  const filters = [
    ...(status === 'ALL' ? [] : ['status: "UP"']),
    ...(software === null ? [] : [`softwarename: ${JSON.stringify(software)}`]),
  ].join(', ');
  const query = `{ nodes${filters === '' ? '' : `(${filters})`} { domain softwarename } }`;
  return createListSource(
    settings,
    domains,
    {
      first: {
        url: new URL(settings.url),
        json: { query },
        entries: ['data', 'nodes', '*'],
        read: (entry) => ({ host: ownValue(entry, ['domain']), software: ownValue(entry, ['softwarename']) }),
      },
    },
    software ?? '',
  );
}
