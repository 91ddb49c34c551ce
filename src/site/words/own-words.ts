import { readFileSync } from 'node:fs';
import { findJsonFault } from '../../model/text/json-fault.ts';
import { nearest } from '../../settings/keys.ts';
import { formatValue, SettingsError, type SettingsProblem } from '../../settings/settings-error.ts';
import { english } from './english.ts';
import type { Words } from './words.ts';

/**
 * A text of the pages: as it is, or a function of the values in it. A value is a string, except that one of them may be a number: it chooses
 * between singular and plural.
 */
type Text = string | (((...values: (string | number)[]) => string) & { template?: Template });
type TextTree = { readonly [key: string]: Text | TextTree };

/** A text in the file of an owner. `{name}` marks where a value belongs; a text with a plural has one form for each plural category of the language. */
type Template = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;
type TemplateTree = { readonly [key: string]: Template | TemplateTree };

const PLURALS: readonly string[] = ['zero', 'one', 'two', 'few', 'many', 'other'];
const VALUE = /\{(\w+)\}/g;

/** The texts of the pages as an owner may replace them. The names of the site and of its language are settings, and formats follow from the language. */
export function templatesOf(words: Words): TemplateTree {
  return mapTexts(textsOf(words), templateOf);
}

/**
 * Our words with the texts of a file in place of ours.
 *
 * @throws {SettingsError} naming every text that is unknown or has the wrong form.
 */
export function readOwnWords(file: string, language: string): { words: Words; missing: string[] } {
  const problems: SettingsProblem[] = [];
  const missing: string[] = [];
  const refuse = (key: string, value: string, allowed: string | null = null) =>
    problems.push({ where: file, key, value, allowed });
  const plural = new Intl.PluralRules(language);
  const given = readJson(file);

  const replaceIn = (ours: TextTree, own: unknown, at: string): TextTree => {
    if (!isTree(own)) {
      refuse(at === '' ? 'the document' : at.slice(0, -1), formatValue(own), 'an object of texts');
      return ours;
    }
    for (const key of Object.keys(own).filter((one) => !Object.hasOwn(ours, one))) {
      const meant = nearest(key, Object.keys(ours));
      refuse(
        at + key,
        meant === null ? 'not a text of the pages' : `not a text of the pages; did you mean ${at}${meant}?`,
      );
    }
    return Object.fromEntries(
      Object.entries(ours).map(([key, text]) => {
        const [name, value] = [at + key, Object.hasOwn(own, key) ? own[key] : undefined];
        if (isTree(text)) return [key, replaceIn(text, value ?? {}, `${name}.`)];
        if (value === undefined) missing.push(name);
        return [key, value === undefined ? text : replaceText(text, value, name)];
      }),
    );
  };

  const replaceText = (text: Text, own: unknown, name: string): Text => {
    const form = formOf(text);
    const forms = form.hasPlural && isTree(own) ? Object.entries(own) : [['other', own] as const];
    for (const [category, template] of forms) {
      if (!PLURALS.includes(category)) refuse(`${name}.${category}`, 'not a plural', `one of ${PLURALS.join(', ')}`);
      else if (typeof template !== 'string')
        refuse(name, formatValue(template), form.hasPlural ? 'a text, or one for each plural' : 'a text');
      const unknown = [...String(template).matchAll(VALUE)].flatMap(([, value = '']) =>
        form.values.includes(value) ? [] : [value],
      );
      for (const value of unknown)
        refuse(name, `a text with {${value}}`, form.values.map((known) => `{${known}}`).join(', ') || 'no values');
    }
    if (!forms.some(([category]) => category === 'other'))
      refuse(`${name}.other`, 'missing', 'the form for all other numbers');
    if (typeof text === 'string') return String(own);
    const templates: Readonly<Record<string, string>> = Object.fromEntries(
      forms.map(([key, template]) => [key, String(template)]),
    );
    const replaced = (...values: (string | number)[]) => {
      const number = values.find((value) => typeof value === 'number');
      const template = templates[number === undefined ? 'other' : plural.select(number)] ?? templates.other ?? '';
      return template.replace(VALUE, (_, value) => String(values[form.names.indexOf(value)] ?? ''));
    };
    // For the next file that is made of these words: the parameters of this function have no names.
    return Object.assign(replaced, { template: own as Template });
  };

  const words = replaceIn(textsOf(english), given, '');
  if (problems.length > 0) throw new SettingsError(problems);
  return { words: { ...english, ...(words as unknown as Words) }, missing };
}

function textsOf({ format: _, frame, ...rest }: Words): TextTree {
  const { name: _name, language: _language, ...texts } = frame;
  return { ...rest, frame: texts } as unknown as TextTree;
}

function readJson(file: string): unknown {
  const refuse = (key: string, value: string, allowed: string | null) =>
    new SettingsError([{ where: file, key, value, allowed }]);
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw refuse('site.words', `unreadable (${code}); write one with loopscout settings --words`, null);
  }
  const fault = findJsonFault(text);
  if (fault === null) return JSON.parse(text);
  throw refuse(`line ${fault.line}, column ${fault.column}`, 'not JSON', fault.expected);
}

interface Form {
  /** The names of the values, in their order. */
  readonly names: readonly string[];
  /** The names of those that a template may contain. */
  readonly values: readonly string[];
  /** Whether one of the values is a number that chooses between singular and plural. */
  readonly hasPlural: boolean;
}

/** The values of a text are the parameters of its function. */
function formOf(text: Text): Form {
  if (typeof text === 'string') return { names: [], values: [], hasPlural: false };
  const [, one, list = ''] = /^(?:(\w+)|\(([^)]*)\))\s*=>/.exec(String(text)) ?? [];
  const names = (one ?? list).split(',').flatMap((name) => name.trim() || []);
  const sample = text(...names.map((name) => `{${name}}`));
  const values = names.filter((name) => sample.includes(`{${name}}`));
  return { names, values, hasPlural: values.length < names.length };
}

function templateOf(text: Text): Template {
  if (typeof text === 'string') return text;
  if (text.template !== undefined) return text.template;
  const { names, values, hasPlural } = formOf(text);
  const withNumber = (number: number) => text(...names.map((name) => (values.includes(name) ? `{${name}}` : number)));
  return hasPlural ? { one: withNumber(1), other: withNumber(2) } : withNumber(0);
}

function mapTexts(tree: TextTree, change: (text: Text) => Template): TemplateTree {
  return Object.fromEntries(
    Object.entries(tree).map(([key, text]) => [key, isTree(text) ? mapTexts(text, change) : change(text)]),
  );
}

function isTree(value: unknown): value is TextTree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
