import { ChangedField, FIELDS_OF_CHANGES_ALONE } from '../../model/change.ts';
import { DOMAIN_STATES } from '../../model/domain-state.ts';
import { INSTANCE_FLAGS } from '../../model/facts/instance-flag.ts';
import { REASONS } from '../../model/reason.ts';
import { VERDICTS } from '../../model/verdict.ts';
import { DomainLine } from '../../views/schema/domain-line.ts';
import { InstanceEntry } from '../../views/schema/instance-entry.ts';
import { fieldsOf } from './fields-of.ts';

/** A vocabulary as the codebook lists it: a heading, what is said of it, and its words, each with what it means and more. */
export interface WordTable {
  readonly title: string;
  readonly about: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Every vocabulary, with the texts of where its words are defined. */
export const wordTables: readonly WordTable[] = [
  {
    title: 'Verdicts',
    about: 'What a visit decides about a domain, in `verdict`.',
    columns: ['verdict', 'when'],
    rows: rowsOf(VERDICTS),
  },
  {
    title: 'Reasons',
    about: 'Why it decides so, in `reason`.',
    columns: ['reason', 'meaning', 'verdicts'],
    rows: Object.entries(REASONS).map(([word, { verdicts, means }]) => [word, means, verdicts.join(', ')]),
  },
  {
    title: 'States',
    about: 'Where a domain stands between visits, in `state`.',
    columns: ['state', 'meaning'],
    rows: rowsOf(DOMAIN_STATES),
  },
  {
    title: 'Flags',
    about: 'What is odd about an instance, in `flags`. No flag keeps an instance from being listed.',
    columns: ['flag', 'meaning'],
    rows: rowsOf(INSTANCE_FLAGS),
  },
  {
    title: 'Fields of changes',
    about: 'Which fact changed, in `field`. Of counts no changes are kept, but what they were each day (`usage/`).',
    columns: ['field', 'meaning', 'also in'],
    rows: ChangedField.options.map(changedFieldRow),
  },
];

function rowsOf(words: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(words);
}

function changedFieldRow(field: ChangedField): [string, string, string] {
  const alone: Partial<Record<ChangedField, string>> = FIELDS_OF_CHANGES_ALONE;
  const own = alone[field];
  if (own !== undefined) return [field, own, ''];
  for (const [shape, file] of [
    [DomainLine, 'domains.ndjson'],
    [InstanceEntry, 'instances.json'],
  ] as const) {
    const found = fieldsOf(shape).find(({ path }) => path === field);
    if (found !== undefined) return [field, found.meaning, file];
  }
  throw new Error(`${field} is in no published file: say what it is in FIELDS_OF_CHANGES_ALONE`);
}
