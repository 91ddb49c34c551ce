import { bothDocuments } from '../../documents/both-documents.ts';
import { showValue } from '../../documents/show-value.ts';
import { info, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

export const agreementName: Rule = {
  id: 'agreement-name',
  area: 'agreement',
  worst: 'info',
  title: 'Config and NodeInfo give the server the same name',
  checks: '`app.name` of config and `metadata.nodeName` of NodeInfo, where both are there.',
  why: 'Directories that read one show another name than those that read the other.',
  sources: ['Interface specification 2.5 and 2.7 (metadata)'],
  cure: `Clear what is kept of the settings:

    php artisan cache:clear`,
  judge(evidence) {
    const both = bothDocuments(evidence);
    const inConfig = both?.config.name ?? null;
    const inNodeInfo = both?.nodeInfo.name ?? null;
    if (inConfig === null || inNodeInfo === null) return null;
    if (inConfig === inNodeInfo) return pass('They do.');
    return info(`Config has ${showValue(inConfig)}, NodeInfo has ${showValue(inNodeInfo)}.`);
  },
};
