import * as z from 'zod';
import { ownValue } from '../formats/read-item.ts';
import type { ListPlan } from '../read-list.ts';
import { softwareSetting, webSourceSettings, webUrl } from './source-settings.ts';

export const FediverseObserverSettings = z
  .strictObject({
    ...webSourceSettings,
    type: z.literal('fediverse-observer').describe('The directory Fediverse Observer.'),
    url: webUrl('Its GraphQL endpoint.').default('https://api.fediverse.observer/graphql'),
    key: z
      .string()
      .regex(/^[!-~]{1,200}$/, 'an API key without spaces')
      .optional()
      .describe(
        'An API key of Fediverse Observer, if it requires one. It is sent with the query, and shown only by the command settings.',
      ),
    software: softwareSetting,
    status: z
      .enum(['UP', 'ALL'])
      .default('UP')
      .describe('UP: servers that answered its last check. ALL: also servers that no longer answer.'),
  })
  .describe('One GraphQL query; the answer is a single document.');

/** `{"data": {"nodes": [{domain, softwarename}]}}`; an invalid query or key is answered with status 200 and `errors`. */
export function fediverseObserverPlan({
  url,
  key,
  software,
  status,
}: Readonly<z.infer<typeof FediverseObserverSettings>>): ListPlan {
  const filters = [
    ...(key === undefined ? [] : [`key: ${JSON.stringify(key)}`]),
    ...(status === 'ALL' ? [] : ['status: "UP"']),
    ...(software === null ? [] : [`softwarename: ${JSON.stringify(software)}`]),
  ].join(', ');
  const query = `{ nodes${filters === '' ? '' : `(${filters})`} { domain softwarename } }`;
  return {
    first: {
      url: new URL(url),
      json: { query },
      entries: ['data', 'nodes', '*'],
      read: (entry) => ({ host: ownValue(entry, ['domain']), software: ownValue(entry, ['softwarename']) }),
    },
    accessCure:
      key === undefined
        ? 'request an API key from Fediverse Observer and set it as "key" of this source, or switch the source off ("enabled": false)'
        : 'check its "key" in the settings and ask Fediverse Observer to admit this crawler, or switch the source off ("enabled": false)',
    detail: software ?? '',
  };
}
