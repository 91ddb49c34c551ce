import { z } from 'zod';
import { jsonLine } from '../../directory/formatting.ts';
import { areCountsImplausible } from '../../model/facts/usage-flags.ts';
import { CACHE_ONE_MINUTE, datedAnswer } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { RATE_LIMITED, withEtag } from '../openapi/responses.ts';
import { VersionList } from '../resources/named-counts.ts';

const MAX_VERSIONS = 1_000;

/** `GET /api/v1/versions`: the versions of the listed instances. */
export const versions = endpoint({
  path: '/api/v1/versions',
  operationId: 'listVersions',
  tag: 'directory',
  summary: 'The versions of the listed instances, and the newest version.',
  example: '/api/v1/versions',
  query: z.strictObject({}),
  responses: { ...withEtag('The versions.', VersionList), ...RATE_LIMITED },
  answer(_request, { directory }) {
    const { at, orders, newest } = directory.snapshot();
    const found = new Map<string, VersionList['versions'][number]>();
    let unknown = 0;
    for (const { entry } of orders('-version')) {
      const { version, usage, flags } = entry;
      if (version === null) {
        unknown += 1;
        continue;
      }
      const row = found.get(version) ?? { version, instances: 0, users: null, implausible: 0 };
      row.instances += 1;
      if (usage.users !== null && areCountsImplausible(usage, flags)) row.implausible += 1;
      else if (usage.users !== null) row.users = (row.users ?? 0) + usage.users;
      found.set(version, row);
    }
    const versions = [...found.values()].slice(0, MAX_VERSIONS);
    const list: Omit<VersionList, 'generatedAt'> = { newest, versions, distinct: found.size, unknown };
    return datedAnswer(at, jsonLine(list), CACHE_ONE_MINUTE);
  },
});
