import { property } from '../../../identify/json.ts';
import { documentOf } from '../../documents/document-of.ts';
import { hidesNodeInfo } from '../../documents/hides-nodeinfo.ts';
import { info, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

export const nodeInfoFederation: Rule = {
  id: 'nodeinfo-federation',
  area: 'nodeinfo',
  worst: 'info',
  title: 'Federation is on, and NodeInfo with it',
  checks:
    'Whether config says that federation is off, and NodeInfo answers 404 for it, as Loops has it from the start. Nothing else is said of NodeInfo then.',
  why: 'With federation off a server has no NodeInfo: directories that read nothing else do not know it, and the others know neither users nor posts. Loopscout lists it by its configuration.',
  sources: ['Interface specification 2.5 (federation)'],
  cure: 'Nothing is wrong. To be seen by the whole fediverse, and to be counted, switch federation on in the admin settings.',
  judge(evidence) {
    const config = documentOf(evidence.answers.config);
    if (config.kind !== 'object') return null;
    const federation = property(config.document, 'federation');
    if (hidesNodeInfo(evidence))
      return info(
        'Federation is off, and Loops hides NodeInfo while it is. Users and posts stay unknown, and so does the server to directories that read NodeInfo alone.',
      );
    if (federation === true) return pass('It is.');
    return federation === false ? pass('Federation is off, and NodeInfo answers all the same.') : null;
  },
};
