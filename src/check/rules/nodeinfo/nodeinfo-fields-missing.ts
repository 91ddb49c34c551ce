import { nameAll } from '../../documents/name-all.ts';
import { nodeInfoNameOf } from '../../documents/nodeinfo-name-of.ts';
import { nodeInfoOf } from '../../documents/nodeinfo-of.ts';
import { nodeInfoViolations } from '../../documents/nodeinfo-schema.ts';
import { valueAt } from '../../documents/value-at.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

/** Fields that the service promises and the schema does not ask for. */
const PROMISED = ['usage.users.total', 'usage.localPosts'] as const;

const cure = `Loops sends all of them. Clear what it keeps:

    php artisan optimize:clear

Active users are counted by its scheduled work: this line belongs into the crontab of the user of the web server (\`sudo crontab -u www-data -e\`):

    * * * * * cd /var/www/loops && php artisan schedule:run >> /dev/null 2>&1`;

export const nodeInfoFieldsMissing: Rule = {
  id: 'nodeinfo-fields-missing',
  area: 'nodeinfo',
  worst: 'warn',
  title: 'Every field of NodeInfo is there',
  checks:
    'The fields of specification 2.7, and those that the schema of NodeInfo 2.0 demands: `version`, `software`, `protocols`, `services`, `openRegistrations`, `usage`, `metadata`. A field that is null is missing.',
  why: 'Clients that validate refuse the whole document for one field that is missing; the others show the server without it.',
  sources: ['Interface specification 2.7', 'NodeInfo 2.0 schema'],
  cure,
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    // A document that names no software is none, which a rule of its own says.
    if (document === null || nodeInfoNameOf(evidence) === null) return null;
    const all = nodeInfoViolations(document);
    const broken = all.map(({ path }) => path);
    const promised = PROMISED.filter(
      (path) =>
        valueAt(document, path) === undefined &&
        !broken.some((above) => `${path}.`.startsWith(`${above}.`) && above !== ''),
    );
    const missing = all.filter(({ kind }) => kind === 'missing');
    const paths = [...missing.map(({ path }) => path), ...promised];
    return paths.length === 0 ? pass('None is missing.') : warn(`Missing: ${nameAll(paths)}.`, cure);
  },
};
