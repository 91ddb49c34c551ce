import { asObject, property } from '../../../identify/json.ts';
import { documentOf } from '../../documents/document-of.ts';
import { nodeInfoNameOf } from '../../documents/nodeinfo-name-of.ts';
import { nodeInfoOf } from '../../documents/nodeinfo-of.ts';
import { showValue } from '../../documents/show-value.ts';
import { valueAt } from '../../documents/value-at.ts';
import { fail, info, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `Loops writes the name itself, as \`"loops"\`, and no setting changes it. Put back what was changed in the code, and clear the cache:

    git -C /var/www/loops status
    php artisan optimize:clear`;

export const nodeInfoSoftware: Rule = {
  id: 'nodeinfo-software',
  area: 'nodeinfo',
  worst: 'fail',
  title: 'NodeInfo names the software exactly',
  checks:
    '`software.name` is a string, and the identifier of the software to the letter. Another software altogether is worth knowing, and keeps the server out of directories of this one.',
  why: 'Directories sort servers by this string. With a capital or a space it names a software that nobody knows.',
  sources: ['Interface specification 2.7 and 4.4', 'NodeInfo 2.0 schema (software.name)'],
  cure,
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    if (document === null) return null;
    const named = nodeInfoNameOf(evidence);
    if (named === null) {
      const software = property(document, 'software');
      const name = property(asObject(software), 'name');
      if (software === undefined) return fail('The document has no software.', cure);
      if (asObject(software) === null) return fail(`software is ${showValue(software)}, not an object.`, cure);
      return fail(
        name === undefined ? 'software has no name.' : `software.name is ${showValue(name)}, not a string.`,
        cure,
      );
    }
    if (named.isExact) return pass(`It is ${showValue(named.name)}.`);
    const { softwareId } = evidence;
    if (named.isNearMiss)
      return fail(
        `software.name is ${showValue(named.name)}, which is not ${showValue(softwareId)} to the letter.`,
        cure,
      );
    const config = documentOf(evidence.answers.config);
    const isTold = config.kind === 'object' && typeof valueAt(config.document, 'app.software') === 'string';
    if (isTold) return null;
    return info(
      `The server says that it runs ${showValue(named.name)}, which is another software than ${showValue(softwareId)}.`,
    );
  },
};
