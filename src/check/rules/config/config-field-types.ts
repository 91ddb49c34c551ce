import { configOf } from '../../documents/config-of.ts';
import { nameAll } from '../../documents/name-all.ts';
import { fail, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `Loops sends each field with its type. Save the settings anew in the admin pages and clear the cache; if the code was changed, cast where the value is read, as in \`(int) $size\` or \`(bool) $open\`:

    php artisan optimize:clear`;

export const configFieldTypes: Rule = {
  id: 'config-field-types',
  area: 'config',
  worst: 'fail',
  title: 'Every field of the configuration has its type',
  checks:
    'The types of specification 2.5: texts are strings, switches are `true` or `false`, sizes and lengths are whole numbers from 0, formats are a list of strings. A number written as `"40"` and a switch written as `1` are of the wrong type.',
  why: 'A client that expects a number crashes on a text, or compares it as one. Loopscout takes such a field as unknown.',
  sources: ['Interface specification 2.5'],
  cure,
  judge(evidence) {
    const read = configOf(evidence);
    if (read === null) return null;
    const { notes } = read.config;
    if (notes.length === 0) return pass('None is of another.');
    return fail(
      `${nameAll(
        notes.map(({ field, problem }) => `${field}: ${problem}`),
        '; ',
      )}.`,
      cure,
    );
  },
};
