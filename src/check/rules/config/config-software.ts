import { asObject, property } from '../../../identify/json.ts';
import { documentOf } from '../../documents/document-of.ts';
import { findWrapped } from '../../documents/find-wrapped.ts';
import { isNearMiss } from '../../documents/is-near-miss.ts';
import { mayBeService } from '../../documents/may-be-service.ts';
import { nodeInfoNameOf } from '../../documents/nodeinfo-name-of.ts';
import { showValue } from '../../documents/show-value.ts';
import { fail, info, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `Loops writes the name itself, as the seven characters \`"loops"\` with their quotes, and no setting changes it. Put back what was changed in the code, and clear the cache:

    git -C /var/www/loops status
    php artisan optimize:clear`;

export const configSoftware: Rule = {
  id: 'config-software',
  area: 'config',
  worst: 'fail',
  title: 'The configuration names the software exactly',
  checks:
    '`app.software` is a string, and the identifier of the software to the letter: small letters, no space, no version. Another software altogether is worth knowing, and keeps the server out of directories of this one.',
  why: 'It is the one string by which apps and directories tell a server of the service, and it is compared as it stands.',
  sources: ['Interface specification 2.5 and 4.4'],
  cure,
  judge(evidence) {
    if (!mayBeService(evidence)) return null;
    const { answers, softwareId } = evidence;
    const reading = documentOf(answers.config);
    if (reading.kind !== 'object' || findWrapped(reading.document) !== null) return null;
    const app = property(reading.document, 'app');
    const software = property(asObject(app), 'software');
    if (typeof software !== 'string' && reading.json.duplicates.length > 0) return null;
    if (app === undefined) return fail('The document has no app, and so names no software.', cure);
    if (asObject(app) === null)
      return fail(`app is ${showValue(app)} and not an object, so no software is named.`, cure);
    if (software === undefined) return fail('app has no software.', cure);
    if (typeof software !== 'string') return fail(`app.software is ${showValue(software)} and not a string.`, cure);
    if (software === softwareId) return pass(`It is ${showValue(software)}.`);
    if (isNearMiss(software, softwareId))
      return fail(`app.software is ${showValue(software)}, which is not ${showValue(softwareId)} to the letter.`, cure);
    if (nodeInfoNameOf(evidence)?.isExact === true) return null;
    return info(
      `The server says that it runs ${showValue(software)}, which is another software than ${showValue(softwareId)}.`,
    );
  },
};
