import { documentOf } from '../../documents/document-of.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `Save the files that were edited by hand as UTF-8 without a byte order mark; this finds those that begin with one:

    grep -rlI $'^\\xEF\\xBB\\xBF' app bootstrap config lang public routes .env

Text in the database that is not UTF-8 is typed anew in the settings.`;

export const configEncoding: Rule = {
  id: 'config-encoding',
  area: 'config',
  worst: 'warn',
  title: 'The configuration is UTF-8 without a byte order mark',
  checks: 'The bytes of `/api/v1/config`: a byte order mark before the JSON, and bytes that are no UTF-8.',
  why: 'JSON that is sent over the net must be UTF-8 and must not begin with a byte order mark. Loopscout passes over both; many parsers refuse the document.',
  sources: ['RFC 8259 section 8.1'],
  cure,
  judge({ answers }) {
    const reading = documentOf(answers.config);
    if (reading.kind !== 'object') return null;
    const { hasByteOrderMark, isUtf8 } = reading.json;
    const problems = [
      ...(hasByteOrderMark ? ['begins with a byte order mark'] : []),
      ...(isUtf8 ? [] : ['has bytes that are not UTF-8']),
    ];
    return problems.length === 0 ? pass('It is.') : warn(`The body of /api/v1/config ${problems.join(' and ')}.`, cure);
  },
};
