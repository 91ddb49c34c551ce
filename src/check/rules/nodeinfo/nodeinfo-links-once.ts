import { discoveryOf } from '../../documents/discovery-of.ts';
import { linksOf20 } from '../../documents/links-of.ts';
import { nameAll } from '../../documents/name-all.ts';
import { showValue } from '../../documents/show-value.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure =
  'Leave one entry for each version. A second one comes from a file or a plug-in that answers beside Loops: `grep -rn nodeinfo public/ routes/ /etc/nginx/` finds it.';

export const nodeInfoLinksOnce: Rule = {
  id: 'nodeinfo-links-once',
  area: 'nodeinfo',
  worst: 'warn',
  title: 'Discovery has one entry for NodeInfo 2.0',
  checks:
    'How many entries have a `rel` that ends with `/schema/2.0`. Loopscout follows the first that has an address.',
  why: 'Of several, one client takes the first and another the last: they may see two different servers.',
  sources: ['Interface specification 4.4'],
  cure,
  judge(evidence) {
    const document = discoveryOf(evidence);
    if (document === null) return null;
    const links = linksOf20(document);
    if (links.length === 0) return null;
    if (links.length === 1) return pass('It has.');
    return warn(`It has ${links.length}: ${nameAll(links.map(({ href }) => showValue(href)))}.`, cure);
  },
};
