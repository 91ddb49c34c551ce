import { z } from 'zod';
import { jsonLine } from '../../views/formatting.ts';
import { CACHE_ONE_MINUTE, datedAnswer } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { RATE_LIMITED, withEtag } from '../openapi/responses.ts';
import { SoftwareList } from '../resources/named-counts.ts';

const MAX_NAMES = 100;

/** `GET /api/v1/software`: the software of the known domains. */
export const software = endpoint({
  path: '/api/v1/software',
  operationId: 'listSoftware',
  tag: 'directory',
  summary: 'The software of the known domains, as far as it is known.',
  example: '/api/v1/software',
  query: z.strictObject({}),
  responses: { ...withEtag('The most common software.', SoftwareList), ...RATE_LIMITED },
  cacheKey: ({ directory }) => directory.survey(),
  answer(_request, { directory }) {
    const { at, counts, software: found, omitted } = directory.survey();
    const ranked = [...found]
      .map(([name, domains]) => ({ name, domains }))
      .sort((one, other) => other.domains - one.domains || (one.name < other.name ? -1 : 1));
    const sum = (rows: readonly { domains: number }[]) => rows.reduce((total, { domains }) => total + domains, 0);
    const list: Omit<SoftwareList, 'generatedAt'> = {
      software: ranked.slice(0, MAX_NAMES),
      others: sum(ranked.slice(MAX_NAMES)) + omitted,
      unknown: counts.domains - sum(ranked) - omitted,
    };
    return datedAnswer(at, jsonLine(list), CACHE_ONE_MINUTE);
  },
});
