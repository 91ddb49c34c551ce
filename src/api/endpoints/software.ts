import { z } from 'zod';
import { softwareOf } from '../../directory/count-domains.ts';
import { jsonLine } from '../../directory/formatting.ts';
import { CACHE_ONE_MINUTE, datedAnswer } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { RATE_LIMITED, withEtag } from '../openapi/responses.ts';
import { SoftwareList } from '../resources/named-counts.ts';

/** `GET /api/v1/software`: the software of the known domains. */
export const software = endpoint({
  path: '/api/v1/software',
  operationId: 'listSoftware',
  tag: 'directory',
  summary: 'The software of the known domains, as far as it is known.',
  example: '/api/v1/software',
  query: z.strictObject({}),
  responses: { ...withEtag('The most common software.', SoftwareList), ...RATE_LIMITED },
  answer(_request, { directory }) {
    const domainTotals = directory.domainTotals();
    const list: Omit<SoftwareList, 'generatedAt'> = softwareOf(domainTotals);
    return datedAnswer(domainTotals.at, jsonLine(list), CACHE_ONE_MINUTE);
  },
});
