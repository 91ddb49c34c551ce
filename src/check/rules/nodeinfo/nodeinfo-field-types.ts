import { nameAll } from '../../documents/name-all.ts';
import { nodeInfoNameOf } from '../../documents/nodeinfo-name-of.ts';
import { nodeInfoOf } from '../../documents/nodeinfo-of.ts';
import { nodeInfoViolations, tellViolation } from '../../documents/nodeinfo-schema.ts';
import { fail, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `Loops sends each with its type. Clear what it keeps; if the code was changed, cast where the value is read: \`(int)\` for counts, \`(bool)\` for switches, and \`(object) []\` for an empty \`metadata\`, which PHP else writes as a list:

    php artisan optimize:clear`;

export const nodeInfoFieldTypes: Rule = {
  id: 'nodeinfo-field-types',
  area: 'nodeinfo',
  worst: 'fail',
  title: 'Every field of NodeInfo has its type',
  checks:
    'The types of specification 2.7 and of the NodeInfo 2.0 schema: counts are whole numbers from 0 and no texts, `openRegistrations` is `true` or `false`, `version` is the text `"2.0"`, `metadata` is an object and no list.',
  why: 'Clients that are written in typed languages refuse the whole document for one such field, and take the server for one without NodeInfo.',
  sources: ['Interface specification 2.7', 'NodeInfo 2.0 schema'],
  cure,
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    // A document that names no software is none, which a rule of its own says.
    if (document === null || nodeInfoNameOf(evidence) === null) return null;
    const wrong = nodeInfoViolations(document).filter(({ kind }) => kind === 'type');
    return wrong.length === 0 ? pass('None is of another.') : fail(`${nameAll(wrong.map(tellViolation), '; ')}.`, cure);
  },
};
