import { contentTypeOf } from '../../documents/content-type-of.ts';
import { documentOf } from '../../documents/document-of.ts';
import { showText } from '../../documents/show-text.ts';
import { info, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const PROFILE = 'http://nodeinfo.diaspora.software/ns/schema/2.0#';

const cure = `Loops sends JSON; look for a static file in its place, or a line of the proxy that sets another type:

    ls -lR public/nodeinfo/
    grep -rnE 'default_type|Content-Type' /etc/nginx/`;

export const nodeInfoContentType: Rule = {
  id: 'nodeinfo-content-type',
  area: 'nodeinfo',
  worst: 'warn',
  title: 'The NodeInfo document is sent as application/json',
  checks: `The \`Content-Type\` of the document is \`application/json\` or ends in \`+json\`. The parameter \`profile="${PROFILE}"\` should be there; another version in it is worth knowing.`,
  why: 'Libraries that go by the type parse nothing else. The profile tells the version apart, and next to nobody needs it: Loops sends none.',
  sources: ['NodeInfo protocol 2.0'],
  cure,
  judge({ answers: { nodeinfo } }) {
    if (nodeinfo === null || documentOf(nodeinfo).kind !== 'object') return null;
    const type = contentTypeOf(nodeinfo);
    if (type === null) return warn('It is sent without a type.', cure);
    if (type !== 'application/json' && !type.endsWith('+json')) return warn(`It is sent as ${showText(type)}.`, cure);
    const profile = /profile\s*=\s*"?([^";,\s]+)/i.exec(nodeinfo.headers['content-type'] ?? '')?.[1];
    if (profile === undefined) return pass('It is, without the profile, which next to nobody needs.');
    if (profile.replace(/#$/, '') === PROFILE.replace(/#$/, '')) return pass('It is, with the profile of 2.0.');
    return info(`Its profile is ${showText(profile)}, and not that of 2.0.`);
  },
};
