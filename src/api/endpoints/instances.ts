import { conditionOf } from '../../views/select-instances.ts';
import type { ListedInstance } from '../../views/snapshot.ts';
import { orderOf, placeAfter, placeOf, SortPlace } from '../../views/sort-instances.ts';
import { datedAnswer, SHORTLY } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { LIMITED, tagged } from '../openapi/responses.ts';
import { readCursor, writeCursor } from '../query/cursor.ts';
import { type Field, InstancesQuery } from '../query/instances-query.ts';
import { InstanceList } from '../resources/instance-list.ts';

/** `GET /api/v1/instances`: the directory, chosen, sorted, a page at a time. */
export const instances = endpoint({
  path: '/api/v1/instances',
  operationId: 'listInstances',
  tag: 'instances',
  summary: 'The listed instances: those asked for, sorted, a page at a time.',
  example: '/api/v1/instances?open=true&status=up&version=%3E%3D1.0.0&sort=-users&limit=20&fields=url,name,usage',
  query: InstancesQuery,
  responses: { ...tagged('A page of them.', InstanceList), ...LIMITED },
  madeFrom: ({ directory }) => directory.snapshot(),
  answer({ query }, { directory }) {
    const { limit, fields, cursor, ...asked } = query;
    const { sort } = asked;
    const place = readCursor(cursor, asked, SortPlace);
    const after = place === null ? null : placeAfter(place, orderOf(sort));
    const holds = conditionOf(query);
    const page: ListedInstance[] = [];
    let total = 0;
    let isMore = false;
    const { at, orders } = directory.snapshot();
    for (const instance of orders(sort)) {
      if (!holds(instance)) continue;
      total += 1;
      if (after !== null && !after(instance)) continue;
      if (page.length < limit) page.push(instance);
      else isMore = true;
    }
    const last = page.at(-1);
    const next = isMore && last !== undefined ? writeCursor(asked, placeOf(last)) : null;
    const texts = page.map(fields === undefined ? ({ json }) => json : (instance) => picked(instance, fields));
    const head = `{"total":${total},"instances":[${texts.join(',')}]`;
    return datedAnswer(at, `${head},"next":${JSON.stringify(next)}}`, SHORTLY);
  },
});

function picked({ entry }: ListedInstance, fields: readonly Field[]): string {
  const wanted = new Set<string>(['domain', ...fields]);
  return JSON.stringify(Object.fromEntries(Object.entries(entry).filter(([key]) => wanted.has(key))));
}
