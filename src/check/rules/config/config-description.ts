import { configOf } from '../../documents/config-of.ts';
import { showValue } from '../../documents/show-value.ts';
import { info, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

/** Characters. */
const LEAST_USEFUL = 20;
const FILLER = /lorem ipsum|^(?:description|my description|todo|test|your description here)\.?$/i;

const cure =
  'Write a sentence or two in the admin settings of the server: whom it is for, in which language, and what is not welcome.';

export const configDescription: Rule = {
  id: 'config-description',
  area: 'config',
  worst: 'warn',
  title: 'The server says what it is',
  checks:
    '`app.description` is not empty and no filler; one of under 20 characters, or the same as the name, is worth knowing.',
  why: 'It is what people choose a server by in a directory.',
  sources: ['Interface specification 2.5'],
  cure,
  judge(evidence) {
    const config = configOf(evidence)?.config;
    if (config === undefined || config.description === null) return null;
    const { description, name } = config;
    if (description === '') return warn('app.description is empty.', cure);
    if (FILLER.test(description)) return warn(`app.description is filler: ${showValue(description)}.`, cure);
    if (description === name) return info('app.description says the same as the name.');
    if (description.length < LEAST_USEFUL) return info(`app.description is short: ${showValue(description)}.`);
    return pass('It does.');
  },
};
