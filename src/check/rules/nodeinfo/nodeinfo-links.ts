import { asObject, property } from '../../../identify/json.ts';
import { discoveryOf } from '../../documents/discovery-of.ts';
import { nameAll } from '../../documents/name-all.ts';
import { showText } from '../../documents/show-text.ts';
import { showValue } from '../../documents/show-value.ts';
import { fail, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cureFor = (domain: string) => `Serve a list of links, and the document at the address that it names:

    {"links":[{"rel":"http://nodeinfo.diaspora.software/ns/schema/2.0","href":"https://${domain}/nodeinfo/2.0"}]}

Loops does so by itself: look for a file in \`public/.well-known/\` or a line of the proxy that answers in its place.`;

export const nodeInfoLinks: Rule = {
  id: 'nodeinfo-links',
  area: 'nodeinfo',
  worst: 'fail',
  title: 'The discovery document lists links',
  checks:
    '`links` is a list with at least one entry. A single link or an object of links, as some software serves, is read by Loopscout and by few others; the NodeInfo document itself at the well-known path is read by none that keeps to the standard.',
  why: 'Strict clients take anything but a list for no NodeInfo at all.',
  sources: ['Interface specification 2.6', 'RFC 7033 section 4.4.4'],
  cure: cureFor('DOMAIN'),
  judge(evidence) {
    const document = discoveryOf(evidence);
    if (document === null) return null;
    const cure = cureFor(evidence.domain);
    const links = property(document, 'links');
    if (Array.isArray(links))
      return links.length > 0 ? pass(`It lists ${links.length}.`) : fail('links is an empty list.', cure);
    if (links !== undefined)
      return fail(`links is ${asObject(links) === null ? showValue(links) : 'an object'}, not a list.`, cure);
    if (asObject(property(document, 'software')) !== null)
      return fail('The NodeInfo document itself is served at the well-known path, where its address belongs.', cure);
    const names = Object.keys(document).map(showText);
    return fail(
      names.length === 0 ? 'The document is empty.' : `There is no links; the document has ${nameAll(names)}.`,
      cure,
    );
  },
};
