import { isOlder } from '../../../record/version-order.ts';
import { showValue } from '../../documents/show-value.ts';
import { versionBeforeConfig } from '../../documents/version-before-config.ts';
import { versionOf } from '../../documents/version-of.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `Back up the database, then update, as the notes of the release say; in short:

    cd /var/www/loops && php artisan down && git pull
    composer install --no-dev --optimize-autoloader
    php artisan migrate --force && php artisan optimize:clear && php artisan up`;

export const agreementVersionNewest: Rule = {
  id: 'agreement-version-newest',
  area: 'agreement',
  worst: 'warn',
  title: 'The newest release is running',
  checks:
    'The version against the newest release that is known to whoever asks for the check. Where none is known, or the version cannot be compared, nothing is said.',
  why: 'Later releases close holes, and have fields and routes that apps count on. Directories flag servers that are behind.',
  sources: ['Semantic Versioning 2.0.0 section 11'],
  cure,
  judge(evidence) {
    const { newestVersion } = evidence;
    const version = versionOf(evidence);
    if (version === null || newestVersion === null || versionBeforeConfig(evidence) !== null) return null;
    const isBehind = isOlder(version, newestVersion);
    if (isBehind === null) return null;
    return isBehind
      ? warn(`${showValue(version)} is running; the newest release known is ${showValue(newestVersion)}.`, cure)
      : pass(`${showValue(version)} is running, and none newer is known.`);
  },
};
