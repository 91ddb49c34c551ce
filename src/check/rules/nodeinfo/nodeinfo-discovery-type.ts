import { contentTypeOf } from '../../documents/content-type-of.ts';
import { documentOf } from '../../documents/document-of.ts';
import { showText } from '../../documents/show-text.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `Loops sends the right type; look for a static file in its place, or a line of the proxy that sets another type:

    ls -l public/.well-known/
    grep -rnE 'default_type|Content-Type' /etc/nginx/`;

export const nodeInfoDiscoveryType: Rule = {
  id: 'nodeinfo-discovery-type',
  area: 'nodeinfo',
  worst: 'warn',
  title: 'The discovery document is sent as JSON',
  checks:
    'The `Content-Type` of `/.well-known/nodeinfo`: `application/json`, `application/jrd+json` or another type that ends in `+json`.',
  why: 'A file without an ending is sent as `application/octet-stream`, and libraries that go by the type do not parse it.',
  sources: ['NodeInfo protocol 2.0', 'RFC 7033 section 10.2'],
  cure,
  judge({ answers: { discovery } }) {
    if (discovery === null || documentOf(discovery).kind !== 'object') return null;
    const type = contentTypeOf(discovery);
    if (type === 'application/json' || type?.endsWith('+json') === true)
      return pass(`It is sent as ${showText(type)}.`);
    return warn(type === null ? 'It is sent without a type.' : `It is sent as ${showText(type)}.`, cure);
  },
};
