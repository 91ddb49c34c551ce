import { contentTypeOf } from '../../documents/content-type-of.ts';
import { documentOf } from '../../documents/document-of.ts';
import { showText } from '../../documents/show-text.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `Loops sends the right type; the usual cause is a line of the proxy that sets another one for the whole API. This finds it:

    grep -rnE 'default_type|Content-Type' /etc/nginx/`;

export const configContentType: Rule = {
  id: 'config-content-type',
  area: 'config',
  worst: 'warn',
  title: 'The configuration is sent as application/json',
  checks:
    'The `Content-Type` of `/api/v1/config`: `application/json`, or a type that ends in `+json`, and no charset but UTF-8.',
  why: 'Libraries that many clients are built with parse a body as JSON only when its type says that it is.',
  sources: ['RFC 8259 section 11', 'RFC 9110 section 8.3'],
  cure,
  judge({ answers }) {
    const { config } = answers;
    if (config === null || documentOf(config).kind !== 'object') return null;
    const type = contentTypeOf(config);
    if (type === null) return warn('The answer names no content type.', cure);
    if (type !== 'application/json' && !type.endsWith('+json')) return warn(`It is sent as ${showText(type)}.`, cure);
    const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(config.headers['content-type'] ?? '')?.[1];
    if (charset !== undefined && !/^utf-?8$/i.test(charset))
      return warn(`It is sent as charset ${showText(charset)}.`, cure);
    return pass(`It is sent as ${showText(type)}.`);
  },
};
