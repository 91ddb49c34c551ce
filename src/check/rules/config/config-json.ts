import { documentOf } from '../../documents/document-of.ts';
import { mayBeService } from '../../documents/may-be-service.ts';
import { versionBeforeConfig } from '../../documents/version-before-config.ts';
import { fail, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const pageCure = `The web app answers in place of the API. See that \`/api/\` reaches PHP before the page of the app does, and that no cache holds the page. In the server block of nginx:

    location ^~ /api/ { try_files $uri /index.php?$query_string; }

Then let Loops make its list of routes anew:

    php artisan route:clear`;

const bodyCure = `See what comes before or after the JSON, and where it ends:

    curl -s https://DOMAIN/api/v1/config | head -c 2000

Warnings that PHP writes into answers are switched off in \`php.ini\`; the log keeps them:

    display_errors = Off
    log_errors = On`;

export const configJson: Rule = {
  id: 'config-json',
  area: 'config',
  worst: 'fail',
  title: 'The configuration is a JSON object',
  checks:
    'The body of `/api/v1/config` is one JSON object and nothing more: not a page, not cut off, nothing before or after it, not nested more than 64 deep.',
  why: 'A body that is not JSON is no configuration. Clients do not repair it: apps say "not compatible", and directories go on to NodeInfo or give up.',
  sources: ['Interface specification 2.5 and 4', 'RFC 8259'],
  cure: bodyCure,
  judge(evidence) {
    if (!mayBeService(evidence) || versionBeforeConfig(evidence) !== null) return null;
    const reading = documentOf(evidence.answers.config);
    if (reading.kind === 'object') return pass('It is.');
    if (reading.kind !== 'not-json') return null;
    const cure = reading.isPage ? pageCure : bodyCure.replace('DOMAIN', evidence.domain);
    return fail(`The body of /api/v1/config ${reading.problem}.`, cure);
  },
};
