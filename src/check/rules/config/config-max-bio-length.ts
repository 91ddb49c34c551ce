import { configOf } from '../../documents/config-of.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

/** Characters. */
const MOST_PLAUSIBLE = 65_535;

const cure = 'Set the longest bio in the admin settings of the server, in characters: 500, for example.';

export const configMaxBioLength: Rule = {
  id: 'config-max-bio-length',
  area: 'config',
  worst: 'warn',
  title: 'The longest bio is a plausible number of characters',
  checks: `\`account.max_bio_length\` is between 1 and ${MOST_PLAUSIBLE}.`,
  why: 'Apps count down to it while a profile is written. At 0 nothing can be typed.',
  sources: ['Interface specification 2.5 and 8'],
  cure,
  judge(evidence) {
    const length = configOf(evidence)?.config.limits.maxBioLength ?? null;
    if (length === null) return null;
    if (length === 0) return warn('account.max_bio_length is 0: no bio may be written.', cure);
    if (length > MOST_PLAUSIBLE)
      return warn(`account.max_bio_length is ${length}, more than a profile can hold.`, cure);
    return pass(`It is ${length}.`);
  },
};
