import { bothDocuments } from '../../documents/both-documents.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `Save the setting for registration anew in the admin settings, and clear what is kept of it:

    php artisan cache:clear`;

export const agreementRegistration: Rule = {
  id: 'agreement-registration',
  area: 'agreement',
  worst: 'warn',
  title: 'Config and NodeInfo agree on registration',
  checks:
    '`registration` of config and `openRegistrations` of NodeInfo are both `true` or both `false`. `registration_mode` is a fact of its own and is not compared.',
  why: 'People are sent to a server that does not take them, or are not sent to one that would.',
  sources: ['Interface specification 2.5 and 2.7'],
  cure,
  judge(evidence) {
    const both = bothDocuments(evidence);
    const inConfig = both?.config.registration.open ?? null;
    const inNodeInfo = both?.nodeInfo.registration.open ?? null;
    if (inConfig === null || inNodeInfo === null) return null;
    const word = (isOpen: boolean) => (isOpen ? 'open' : 'closed');
    if (inConfig === inNodeInfo) return pass(`Both say that it is ${word(inConfig)}.`);
    return warn(`Config says that it is ${word(inConfig)}, NodeInfo that it is ${word(inNodeInfo)}.`, cure);
  },
};
