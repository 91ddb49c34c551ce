import { bothDocuments } from '../../documents/both-documents.ts';
import { showValue } from '../../documents/show-value.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `One of the answers is kept from before an update. Clear what is kept, and start PHP anew, which holds on to old code as well:

    php artisan optimize:clear
    sudo systemctl restart 'php*-fpm'`;

export const agreementVersion: Rule = {
  id: 'agreement-version',
  area: 'agreement',
  worst: 'warn',
  title: 'Config and NodeInfo report the same version',
  checks: '`app.version` of config and `software.version` of NodeInfo are the same text.',
  why: 'Which one is true cannot be told from outside. Directories count the server under one of the two, and flag it.',
  sources: ['Interface specification 2.5, 2.7 and 9'],
  cure,
  judge(evidence) {
    const both = bothDocuments(evidence);
    const inConfig = both?.config.version ?? null;
    const inNodeInfo = both?.nodeInfo.version ?? null;
    if (inConfig === null || inNodeInfo === null) return null;
    if (inConfig === inNodeInfo) return pass(`Both report ${showValue(inConfig)}.`);
    return warn(`Config reports ${showValue(inConfig)}, NodeInfo ${showValue(inNodeInfo)}.`, cure);
  },
};
