import { z } from 'zod';
import { jsonLine } from '../../directory/formatting.ts';
import { softwareOf } from '../../directory/software.ts';
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
    const survey = directory.survey();
    const list: Omit<SoftwareList, 'generatedAt'> = softwareOf(survey);
    return datedAnswer(survey.at, jsonLine(list), CACHE_ONE_MINUTE);
  },
});
