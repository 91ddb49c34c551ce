import { configOf } from '../../documents/config-of.ts';
import { showValue } from '../../documents/show-value.ts';
import { FIRST_WITH_CONFIG, versionBeforeConfig } from '../../documents/version-before-config.ts';
import { fail, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `Back up the database, then update, as the notes of the releases in between say; in short:

    cd /var/www/loops && php artisan down && git pull
    composer install --no-dev --optimize-autoloader
    php artisan migrate --force && php artisan optimize:clear && php artisan up`;

export const agreementVersionConfig: Rule = {
  id: 'agreement-version-config',
  area: 'agreement',
  worst: 'fail',
  title: 'The release has a configuration endpoint',
  checks: `Whether NodeInfo names a release before ${FIRST_WITH_CONFIG} on a server whose \`/api/v1/config\` brings no configuration: those have none.`,
  why: 'Apps of today ask for nothing else before signing in, and tell their users that the server is not compatible. With federation off nothing names the software at all.',
  sources: ['Interface specification 4.4'],
  cure,
  judge(evidence) {
    const version = versionBeforeConfig(evidence);
    if (version !== null)
      return fail(
        `${showValue(version)} is running. The endpoint came with ${FIRST_WITH_CONFIG}, so there is none here.`,
        cure,
      );
    return configOf(evidence) === null ? null : pass('It has.');
  },
};
