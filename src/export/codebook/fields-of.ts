import { z } from 'zod';
import { notesOf } from '../../directory/schema/fields.ts';

export interface CodebookField {
  readonly path: string;
  readonly type: string;
  /** Null unless the field is a number or a literal. */
  readonly unit: string | null;
  readonly meaning: string;
  /** What null means; null when the field cannot be null. */
  readonly whenNull: string | null;
  /** The origin of the value; null without codebook notes. */
  readonly source: string | null;
}

type Inherited = { path: string; unit: string | null; source: string | null };

/**
 * The leaf fields of a shape, also in nested objects and lists of objects, and the objects that can be null. Unit and source are
 * inherited from the enclosing field.
 */
export function fieldsOf(shape: z.ZodObject): CodebookField[] {
  const { unit = null, source = null } = notesOf(shape);
  const fields = known.get(shape) ?? fieldsInside(shape, { path: '', unit, source });
  known.set(shape, fields);
  return fields;
}

/** Shapes do not change. */
const known = new WeakMap<z.ZodObject, CodebookField[]>();

function fieldsInside(shape: z.ZodObject, enclosing: Inherited): CodebookField[] {
  return Object.entries(shape.shape).flatMap(([name, schema]) =>
    fieldsAt(schema as z.ZodType, { ...enclosing, path: enclosing.path === '' ? name : `${enclosing.path}.${name}` }),
  );
}

/** @param enclosing the notes of the enclosing field, with the path of this one. */
function fieldsAt(schema: z.ZodType, enclosing: Inherited): CodebookField[] {
  const core = unwrapped(schema);
  const element = core instanceof z.ZodArray ? unwrapped(core.element as z.ZodType) : null;
  const own = { ...notesOf(element ?? core), ...notesOf(core), ...notesOf(schema) };
  const { path } = enclosing;
  const inherited = { path, unit: own.unit ?? enclosing.unit, source: own.source ?? enclosing.source };
  const { meaning, whenNull } = split(schema.description ?? '');
  if (core instanceof z.ZodObject) {
    const objectField = { ...inherited, unit: null, type: 'object', meaning, whenNull };
    const innerFields = fieldsInside(core, inherited);
    return whenNull === null ? innerFields : [objectField, ...innerFields];
  }
  if (element instanceof z.ZodObject) return fieldsInside(element, { ...inherited, path: `${path}[]` });
  const isNumber = core instanceof z.ZodNumber || core instanceof z.ZodLiteral;
  return [{ ...inherited, unit: isNumber ? inherited.unit : null, type: typeOf(core), meaning, whenNull }];
}

function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodReadonly) {
    return unwrapped(schema.unwrap() as z.ZodType);
  }
  return schema;
}

/** Descriptions of nullable fields end with the meaning of null, after a semicolon. */
function split(description: string): { meaning: string; whenNull: string | null } {
  const [, meaning = description, whenNull = null] = /^(.*?)(?:; null (.*))$/.exec(description) ?? [];
  return { meaning: withFullStop(meaning), whenNull: whenNull === null ? null : whenNull.replace(/\.$/, '') };
}

function withFullStop(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

function typeOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodNumber) return schema.safeParse(0.5).success ? 'number' : 'integer';
  if (schema instanceof z.ZodLiteral) return [...schema.values].map((value) => JSON.stringify(value)).join(' or ');
  if (schema instanceof z.ZodEnum) return `word: ${schema.options.map((word) => `\`${word}\``).join(', ')}`;
  if (schema instanceof z.ZodArray) return `list of ${typeOf(unwrapped(schema.element as z.ZodType))}`;
  if (schema instanceof z.ZodUnion) return 'text, number, boolean or list of texts';
  return schema.meta()?.format === 'date-time' ? 'time' : 'text';
}
