import { documentOf } from '../../documents/document-of.ts';
import { nameAll } from '../../documents/name-all.ts';
import { showText } from '../../documents/show-text.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `Save files that were edited by hand as UTF-8 without a byte order mark, type texts that are not UTF-8 anew in the settings, and look for a plug-in or a proxy that adds members to the answer:

    grep -rlI $'^\\xEF\\xBB\\xBF' app bootstrap config public routes .env`;

export const nodeInfoEncoding: Rule = {
  id: 'nodeinfo-encoding',
  area: 'nodeinfo',
  worst: 'warn',
  title: 'Both documents of NodeInfo are clean JSON',
  checks:
    'A byte order mark, bytes that are no UTF-8, and names that stand twice in an object, in the discovery document and in the NodeInfo document.',
  why: 'Loopscout passes over them; parsers that are stricter refuse the document, or read another value than was meant.',
  sources: ['RFC 8259 sections 4 and 8.1'],
  cure,
  judge({ answers }) {
    const problems = (['discovery', 'nodeinfo'] as const).flatMap((name) => {
      const reading = documentOf(answers[name]);
      if (reading.kind !== 'object') return [];
      const { hasByteOrderMark, isUtf8, duplicates } = reading.json;
      const what = name === 'discovery' ? 'the discovery document' : 'the NodeInfo document';
      return [
        ...(hasByteOrderMark ? [`${what} begins with a byte order mark`] : []),
        ...(isUtf8 ? [] : [`${what} has bytes that are not UTF-8`]),
        ...(duplicates.length > 0 ? [`${what} has twice ${nameAll(duplicates.map(showText))}`] : []),
      ];
    });
    if (problems.length > 0) return warn(`${problems.join('; ')}.`.replace(/^t/, 'T'), cure);
    return documentOf(answers.discovery).kind === 'object' ? pass('They are.') : null;
  },
};
