import { property } from '../../../identify/json.ts';
import { nameAll } from '../../documents/name-all.ts';
import { nodeInfoNameOf } from '../../documents/nodeinfo-name-of.ts';
import { nodeInfoOf } from '../../documents/nodeinfo-of.ts';
import { showValue } from '../../documents/show-value.ts';
import { fail, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `Name the protocol that Loops federates by:

    "protocols": ["activitypub"]`;

export const nodeInfoProtocols: Rule = {
  id: 'nodeinfo-protocols',
  area: 'nodeinfo',
  worst: 'fail',
  title: 'NodeInfo names ActivityPub as a protocol',
  checks: '`protocols` includes `activitypub`, in small letters, on a server of the service.',
  why: 'Directories of the fediverse leave out servers that do not federate by ActivityPub.',
  sources: ['Interface specification 2.7'],
  cure,
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    const protocols = property(document, 'protocols');
    if (!Array.isArray(protocols) || nodeInfoNameOf(evidence)?.isExact !== true) return null;
    if (protocols.includes('activitypub')) return pass('It does.');
    return fail(
      protocols.length === 0
        ? 'protocols is an empty list.'
        : `protocols has ${nameAll(protocols.map(showValue))} alone.`,
      cure,
    );
  },
};
