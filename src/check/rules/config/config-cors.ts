import { documentOf } from '../../documents/document-of.ts';
import { mayBeService } from '../../documents/may-be-service.ts';
import { showText } from '../../documents/show-text.ts';
import { FOREIGN_ORIGIN } from '../../foreign-origin.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `Let Laravel send the header, in \`config/cors.php\`, and nothing else:

    'paths' => ['api/*', 'oauth/*', '.well-known/*', 'nodeinfo/*'],
    'allowed_origins' => ['*'],

Then let Loops read it anew:

    php artisan config:cache

If a proxy sends it as well, take the line \`add_header Access-Control-Allow-Origin\` out there: twice is as bad as not at all.`;

export const configCors: Rule = {
  id: 'config-cors',
  area: 'config',
  worst: 'warn',
  title: 'The scripts of other sites may read the configuration',
  checks:
    'Whether the answer to a request of another site carries `Access-Control-Allow-Origin`, once, as `*` or as that site. One that repeats the site must say `Vary: Origin` where the answer may be kept.',
  why: 'Apps in the browser, and directories that look at a server live, can read nothing that does not have the header. It gives nothing away: config is public.',
  sources: ['Fetch Standard, CORS protocol'],
  cure,
  judge(evidence) {
    if (!mayBeService(evidence)) return null;
    const { config } = evidence.answers;
    if (config === null || documentOf(config).kind !== 'object') return null;
    const allowed = config.headers['access-control-allow-origin']?.trim();
    if (allowed === undefined || allowed === '') return warn('The answer has no Access-Control-Allow-Origin.', cure);
    if (allowed.includes(','))
      return warn(`Access-Control-Allow-Origin is sent more than once: ${showText(allowed)}.`, cure);
    if (allowed === '*') return pass('Those of every site may.');
    if (allowed !== FOREIGN_ORIGIN)
      return warn(`Access-Control-Allow-Origin is ${showText(allowed)}: no other site may read it.`, cure);
    const varies = /(?:^|[\s,])(?:origin|\*)(?:[\s,]|$)/i.test(config.headers.vary ?? '');
    const isKept = /max-age=[1-9]/i.test(config.headers['cache-control'] ?? '');
    if (isKept && !varies)
      return warn(
        'Access-Control-Allow-Origin repeats the site that asks, but the answer may be kept and does not say Vary: Origin.',
        cure,
      );
    return pass('Each site that asks may.');
  },
};
