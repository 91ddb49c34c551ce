import { asObject, type JsonObject, property } from '../../../identify/json.ts';
import { isOlder } from '../../../record/version-order.ts';
import { CONFIG_FIELDS } from '../../documents/config-fields.ts';
import { configOf } from '../../documents/config-of.ts';
import { nameAll } from '../../documents/name-all.ts';
import { valueAt } from '../../documents/value-at.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const updateCure = `Update Loops; the fields came with later releases:

    cd /var/www/loops && git pull && composer install --no-dev --optimize-autoloader
    php artisan migrate --force && php artisan optimize:clear`;

const cacheCure = `This release has the fields. An answer kept from an older one is the usual reason; clear what is kept:

    php artisan optimize:clear
    php artisan cache:clear`;

export const configFieldsMissing: Rule = {
  id: 'config-fields-missing',
  area: 'config',
  worst: 'warn',
  title: 'Every field of the configuration is there',
  checks:
    'All fields of specification 2.5 but `app.software`, each by its name; a field that is null is missing. The switch for GIFs is there as `hasGifProvider` or, as live servers have it, `hasKlipy`.',
  why: 'What is not said is unknown: directories show a blank, and apps fall back to limits of their own, so that an upload fails at its end.',
  sources: ['Interface specification 2.5'],
  cure: updateCure,
  judge(evidence) {
    const read = configOf(evidence);
    if (read === null) return null;
    const missing = CONFIG_FIELDS.filter(({ paths }) => paths.every((path) => isMissing(read.document, path)));
    if (missing.length === 0) return pass('None is missing.');
    const { version } = read.config;
    const detail = `Missing: ${nameAll(missing.map(({ paths }) => paths.join(' or ')))}.`;
    const areLater = version !== null && missing.every(({ since }) => isOlder(version, since) === true);
    return areLater
      ? warn(`${detail} The release that runs here, ${version}, does not have them yet.`, updateCure)
      : warn(detail, cacheCure);
  },
};

/** A field that lies in something of the wrong type is not missing: the rule of types names that. */
function isMissing(document: JsonObject, path: string): boolean {
  const [parent, child] = path.split('.');
  if (child !== undefined && parent !== undefined) {
    const holder = property(document, parent) ?? null;
    if (holder !== null && asObject(holder) === null) return false;
  }
  return (valueAt(document, path) ?? null) === null;
}
