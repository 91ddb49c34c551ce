import { documentOf } from '../../documents/document-of.ts';
import { isNearMiss } from '../../documents/is-near-miss.ts';
import { nodeInfoNameOf } from '../../documents/nodeinfo-name-of.ts';
import { showValue } from '../../documents/show-value.ts';
import { valueAt } from '../../documents/value-at.ts';
import { fail, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `One of the two comes from another program: see which one answers at each address, and let Loops answer at both.

    grep -rn 'nodeinfo\\|api/v1/config' /etc/nginx/
    ls -lR public/.well-known public/nodeinfo public/api`;

export const agreementSoftware: Rule = {
  id: 'agreement-software',
  area: 'agreement',
  worst: 'fail',
  title: 'Config and NodeInfo name the same software',
  checks:
    '`app.software` of config and `software.name` of NodeInfo are the same text. Where one of them is only misspelt, the rule of that document says so, and this one is silent.',
  why: 'One client reads config and another NodeInfo: to each the server is something else, and directories flag or drop it.',
  sources: ['Interface specification 2.5, 2.7 and 4.4'],
  cure,
  judge(evidence) {
    const config = documentOf(evidence.answers.config);
    const inNodeInfo = nodeInfoNameOf(evidence);
    const inConfig = config.kind === 'object' ? valueAt(config.document, 'app.software') : undefined;
    if (typeof inConfig !== 'string' || inNodeInfo === null) return null;
    if (inConfig === inNodeInfo.name) return pass(`Both name ${showValue(inConfig)}.`);
    if (inNodeInfo.isNearMiss || isNearMiss(inConfig, evidence.softwareId)) return null;
    return fail(`Config names ${showValue(inConfig)}, NodeInfo names ${showValue(inNodeInfo.name)}.`, cure);
  },
};
