import { cleanIdentifier } from '../../../record/clean-text.ts';
import { LENGTHS } from '../../../record/text-lengths.ts';
import { configOf } from '../../documents/config-of.ts';
import { nameAll } from '../../documents/name-all.ts';
import { valueAt } from '../../documents/value-at.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

interface Text {
  path: string;
  maxLength: number;
  /** Line breaks and tabs are fine in it. */
  hasLines?: true;
}

const TEXTS: readonly Text[] = [
  { path: 'app.name', maxLength: LENGTHS.name },
  { path: 'app.description', maxLength: LENGTHS.description, hasLines: true },
  { path: 'app.url', maxLength: LENGTHS.url },
  { path: 'app.version', maxLength: LENGTHS.version },
  { path: 'registration_mode', maxLength: LENGTHS.mode },
];

const cure =
  'Type the text anew in the admin settings, as plain text: what is pasted from a word processor or a chat often brings invisible characters along, and tags are shown as they stand.';

export const configText: Rule = {
  id: 'config-text',
  area: 'config',
  worst: 'warn',
  title: 'The texts of the configuration are plain text',
  checks: `Control characters, characters that turn the direction of text around, halves of a character, HTML tags, and texts longer than is shown (a name of ${LENGTHS.name} characters, a description of ${LENGTHS.description}).`,
  why: 'Directories strip what could disturb their pages, cut what is too long and show tags as text: what people see is then not what you wrote.',
  sources: ['Interface specification 2.5', 'Unicode Standard Annex 9'],
  cure,
  judge(evidence) {
    const read = configOf(evidence);
    if (read === null) return null;
    const problems = TEXTS.flatMap((text) => {
      const value = valueAt(read.document, text.path);
      return typeof value === 'string' ? problemsOf(value, text).map((problem) => `${text.path} ${problem}`) : [];
    });
    return problems.length === 0 ? pass('They are.') : warn(`${nameAll(problems, '; ')}.`, cure);
  },
};

function problemsOf(value: string, { maxLength, hasLines }: Text): string[] {
  const text = hasLines ? value.replace(/[\t\r\n]/g, ' ') : value;
  return [
    ...(cleanIdentifier(text, text.length) === text ? [] : ['has characters that are stripped']),
    ...(value.includes('\ufffd') ? ['has the sign for a character that was lost (U+FFFD)'] : []),
    ...(/<\/?[a-z][^<>]*>/i.test(value) ? ['has HTML tags'] : []),
    ...(value.length > maxLength ? [`is ${value.length} characters long, of which ${maxLength} are shown`] : []),
  ];
}
