import { z } from 'zod';
import { jsonLine } from '../../views/formatting.ts';
import { datedAnswer, SHORTLY } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { LIMITED, tagged } from '../openapi/responses.ts';
import { SoftwareList } from '../resources/named-counts.ts';

const MOST = 100;

/** `GET /api/v1/software`: what the known domains run. */
export const software = endpoint({
  path: '/api/v1/software',
  operationId: 'listSoftware',
  tag: 'directory',
  summary: 'What the known domains run, as far as they ever said.',
  example: '/api/v1/software',
  query: z.strictObject({}),
  responses: { ...tagged('The commonest.', SoftwareList), ...LIMITED },
  madeFrom: ({ directory }) => directory.survey(),
  answer(_question, { directory }) {
    const { at, counts, software: found, unnamed } = directory.survey();
    const ranked = [...found]
      .map(([name, domains]) => ({ name, domains }))
      .sort((one, other) => other.domains - one.domains || (one.name < other.name ? -1 : 1));
    const sum = (rows: readonly { domains: number }[]) => rows.reduce((total, { domains }) => total + domains, 0);
    const told: Omit<SoftwareList, 'generatedAt'> = {
      software: ranked.slice(0, MOST),
      others: sum(ranked.slice(MOST)) + unnamed,
      unknown: counts.domains - sum(ranked) - unnamed,
    };
    return datedAnswer(at, jsonLine(told), SHORTLY);
  },
});
