import { FIELD_CLAUSES, type FieldClause, type FieldType, LIVE_NAMES } from '../clauses/resource-fields.ts';
import { isObject, type Json, Undecided, valueAt } from '../evidence.ts';
import { eachOf, type Judge, type Judgements, show } from './judge.ts';

const isList = Array.isArray;

const HAS_TYPE: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  'string or null': (value) => value === null || typeof value === 'string',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  'boolean or null': (value) => value === null || typeof value === 'boolean',
  object: isObject,
  'object or empty array': (value) => isObject(value) || (isList(value) && value.length === 0),
  array: isList,
  'array of string': (value) => isList(value) && value.every((one) => typeof one === 'string'),
  'array of object': (value) => isList(value) && value.every(isObject),
};

/** The judgement of each field clause, derived from the type of the field. */
export const FIELD_JUDGEMENTS: Judgements = Object.fromEntries(
  FIELD_CLAUSES.map((clause) => [clause.id, judgeOf(clause)]),
);

function judgeOf({ table, path, type: specType, liveType = specType }: FieldClause): Judge {
  const [list = '', inList] = path.split('[].');
  return eachOf(table.probes, (probe, evidence, profile) => {
    const json = evidence.json(probe);
    const type = profile === 'live' ? liveType : specType;
    if (table.isBare === true && isObject(json.data) && json.id === undefined) {
      throw new Undecided('skipped', `${table.title} is wrapped in \`data\``);
    }
    const root = table.wrapper === undefined ? json : json[table.wrapper];
    if (!isObject(root)) throw new Undecided('skipped', `${table.title} is not in \`${table.wrapper}\``);
    if (inList !== undefined) return judgeElements(root, list, inList, type);
    const [parent] = path.split(/\.(?=[^.]*$)/);
    const around = parent === path ? undefined : valueAt(root, parent ?? '');
    if (profile === 'live' && isList(around) && around.length === 0) {
      throw new Undecided('not shown', `\`${parent}\` is an empty list`);
    }
    const liveName = profile === 'live' ? LIVE_NAMES[path] : undefined;
    const liveValue = liveName === undefined ? undefined : valueAt(root, liveName);
    return judgeValue(liveValue ?? valueAt(root, path), type);
  });
}

function judgeElements(root: Json, list: string, path: string, type: FieldType): string | null {
  const elements = valueAt(root, list);
  if (!isList(elements)) throw new Undecided('skipped', `\`${list}\` is not a list`);
  if (elements.length === 0) throw new Undecided('not shown', `\`${list}\` is empty`);
  for (const [index, element] of elements.entries()) {
    const problem = judgeValue(valueAt(element, path), type);
    if (problem !== null) return `in element ${index + 1}, ${problem}`;
  }
  return null;
}

function judgeValue(value: unknown, type: FieldType): string | null {
  if (value === undefined) return 'the field is missing';
  return HAS_TYPE[type](value) ? null : `the value is ${show(value)}`;
}
