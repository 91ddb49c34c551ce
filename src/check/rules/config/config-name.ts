import { configOf } from '../../documents/config-of.ts';
import { showValue } from '../../documents/show-value.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

/** What software writes there when nobody has, in small letters. */
const DEFAULTS: ReadonlySet<string> = new Set([
  'laravel',
  'loops',
  'loops server',
  'my loops',
  'my loops server',
  'my server',
  'server',
  'localhost',
  'example',
  'test',
  'app',
]);

const cure = `Give the server its name in the admin settings. Where these leave it to the environment, it is in \`.env\`:

    APP_NAME="Clips of the Harbour"

Then let Loops read it anew:

    php artisan config:cache`;

export const configName: Rule = {
  id: 'config-name',
  area: 'config',
  worst: 'warn',
  title: 'The server has a name of its own',
  checks:
    '`app.name` is not empty, and not what the software or its framework writes there by itself (`Loops`, `Laravel`).',
  why: 'It is the headline of the server in every directory and app. Ten servers by the name of "Loops" cannot be told apart.',
  sources: ['Interface specification 2.5'],
  cure,
  judge(evidence) {
    const name = configOf(evidence)?.config.name ?? null;
    if (name === null) return null;
    if (name === '') return warn('app.name is empty.', cure);
    if (DEFAULTS.has(name.toLowerCase()))
      return warn(`app.name is ${showValue(name)}, as before anyone has given it one.`, cure);
    return pass(`It is ${showValue(name)}.`);
  },
};
