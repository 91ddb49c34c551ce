/** The value at a path such as `app.name` or `links[0].url`. @throws if there is none. */
export function valueAt(document: unknown, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter((key) => key !== '')
    .reduce((value, key) => {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) {
        throw new Error(`There is no ${path} in ${JSON.stringify(document)}.`);
      }
      return Reflect.get(value, key) as unknown;
    }, document);
}

/** The type of a JSON value, under the name that the specification uses. */
export function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** An object with one value at a path of keys: `{ app: { name: value } }` for `app.name`. */
export function objectWith(path: string, value: unknown): Record<string, unknown> {
  const [first = '', ...rest] = path.split('.');
  return { [first]: rest.length === 0 ? value : objectWith(rest.join('.'), value) };
}
