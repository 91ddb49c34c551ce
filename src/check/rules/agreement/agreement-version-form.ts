import { isOlder } from '../../../record/version-order.ts';
import { showValue } from '../../documents/show-value.ts';
import { versionOf } from '../../documents/version-of.ts';
import { info, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

export const agreementVersionForm: Rule = {
  id: 'agreement-version-form',
  area: 'agreement',
  worst: 'info',
  title: 'The version can be compared',
  checks: 'The version is one of Semantic Versioning, as `1.0.0-beta.14`; a `v` before it is passed over.',
  why: 'A version in another form can be told neither old nor new: directories count the server under "unknown".',
  sources: ['Semantic Versioning 2.0.0'],
  cure: 'Releases of Loops name their version so. Where the code is a fork, name the release that it is built on: `1.0.0-beta.14+fork.1`.',
  judge(evidence) {
    const version = versionOf(evidence);
    if (version === null) return null;
    return isOlder(version, version) === null
      ? info(`The version is ${showValue(version)}, which is not of the form 1.0.0-beta.14.`)
      : pass(`It is ${showValue(version)}.`);
  },
};
