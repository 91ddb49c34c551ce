import { property } from '../../../identify/json.ts';
import { parseConfig } from '../../../identify/parse-config.ts';
import { documentOf } from '../../documents/document-of.ts';
import { nameAll } from '../../documents/name-all.ts';
import { showText } from '../../documents/show-text.ts';
import { fail, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `Loops writes each name once: look for a proxy, a plug-in or a patch that adds to the answer, and let it replace instead. To see where they come from, ask PHP itself, past the proxy:

    curl -s -H 'Host: DOMAIN' http://127.0.0.1/api/v1/config`;

export const configDuplicateKeys: Rule = {
  id: 'config-duplicate-keys',
  area: 'config',
  worst: 'fail',
  title: 'No name stands twice in the configuration',
  checks:
    'Names that an object of the document has more than once. It fails when `app.software` can no longer be read for it.',
  why: 'Which of the two counts is left open by the standard: one client reads the first, another the last, a third refuses the document.',
  sources: ['RFC 8259 section 4'],
  cure,
  judge({ answers, domain }) {
    const reading = documentOf(answers.config);
    if (reading.kind !== 'object') return null;
    const { duplicates } = reading.json;
    if (duplicates.length === 0) return pass('None does.');
    const detail = `More than once: ${nameAll(duplicates.map(showText))}.`;
    const isRead = property(reading.document, 'app') === undefined || parseConfig(reading.document) !== null;
    const ownCure = cure.replace('DOMAIN', domain);
    return isRead
      ? warn(detail, ownCure)
      : fail(`${detail} As most clients read it, the document names no software.`, ownCure);
  },
};
