import { asObject, type JsonObject, property } from '../../identify/json.ts';

/** What is at a path such as `app.name`; undefined when it, or what it lies in, is not there or is no object. */
export function valueAt(document: JsonObject, path: string): unknown {
  let value: unknown = document;
  for (const key of path.split('.')) value = property(asObject(value), key);
  return value;
}
