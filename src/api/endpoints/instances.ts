import { conditionOf } from '../../directory/select-instances.ts';
import type { ListedInstance } from '../../directory/snapshot.ts';
import { afterPosition, positionOf, SortPosition } from '../../directory/sort-instances.ts';
import { CACHE_ONE_MINUTE, datedAnswer } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { RATE_LIMITED, withEtag } from '../openapi/responses.ts';
import { readCursor, writeCursor } from '../query/cursor.ts';
import { type Field, InstancesQuery } from '../query/instances-query.ts';
import { InstanceList } from '../resources/instance-list.ts';

/** `GET /api/v1/instances`: the directory, filtered, sorted and paged. */
export const instances = endpoint({
  path: '/api/v1/instances',
  operationId: 'listInstances',
  tag: 'instances',
  summary: 'The listed instances, filtered, sorted and paged.',
  example: '/api/v1/instances?joinable=true&sort=-users&limit=20&fields=url,name,usage',
  query: InstancesQuery,
  responses: { ...withEtag('A page of instances.', InstanceList), ...RATE_LIMITED },
  answer({ query }, { directory }) {
    const { limit, fields, cursor, ...filter } = query;
    const { sort } = filter;
    const position = readCursor(cursor, filter, SortPosition);
    const after = position === null ? null : afterPosition(position, sort);
    const page: ListedInstance[] = [];
    let total = 0;
    let hasMore = false;
    const { at, orders } = directory.snapshot();
    const holds = conditionOf(query, at);
    for (const instance of orders(sort)) {
      if (!holds(instance)) continue;
      total += 1;
      if (after !== null && !after(instance)) continue;
      if (page.length < limit) page.push(instance);
      else hasMore = true;
    }
    const last = page.at(-1);
    const next = hasMore && last !== undefined ? writeCursor(filter, positionOf(last, sort)) : null;
    const texts = page.map(fields === undefined ? ({ json }) => json : (instance) => selectFields(instance, fields));
    const head = `{"total":${total},"instances":[${texts.join(',')}]`;
    return datedAnswer(at, `${head},"next":${JSON.stringify(next)}}`, CACHE_ONE_MINUTE);
  },
});

function selectFields({ entry }: ListedInstance, fields: readonly Field[]): string {
  const wanted = new Set<string>(['domain', ...fields]);
  return JSON.stringify(Object.fromEntries(Object.entries(entry).filter(([key]) => wanted.has(key))));
}
