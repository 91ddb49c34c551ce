import { z } from 'zod';
import { jsonLine } from '../../views/formatting.ts';
import { datedAnswer, SHORTLY } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { LIMITED, tagged } from '../openapi/responses.ts';
import { VersionList } from '../resources/named-counts.ts';

const MOST = 1_000;

/** `GET /api/v1/versions`: which versions the listed instances run. */
export const versions = endpoint({
  path: '/api/v1/versions',
  operationId: 'listVersions',
  tag: 'directory',
  summary: 'Which versions the listed instances run, and which is the newest.',
  example: '/api/v1/versions',
  query: z.strictObject({}),
  responses: { ...tagged('The versions.', VersionList), ...LIMITED },
  madeFrom: ({ directory }) => directory.snapshot(),
  answer(_question, { directory }) {
    const { at, orders, newest } = directory.snapshot();
    const found = new Map<string, VersionList['versions'][number]>();
    let unknown = 0;
    for (const { entry } of orders('-version')) {
      const { version, usage } = entry;
      if (version === null) {
        unknown += 1;
        continue;
      }
      const row = found.get(version) ?? { version, instances: 0, users: null };
      row.instances += 1;
      if (usage.users !== null) row.users = (row.users ?? 0) + usage.users;
      found.set(version, row);
    }
    const versions = [...found.values()].slice(0, MOST);
    const told: Omit<VersionList, 'generatedAt'> = { newest, versions, distinct: found.size, unknown };
    return datedAnswer(at, jsonLine(told), SHORTLY);
  },
});
