import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { UNKNOWN_VALUE_DESCRIPTION } from '../../src/directory/schema/json-schema-text.ts';
import { documentedOperations, routesOf } from '../reference/openapi/routes.ts';
import { fillStore, nameOf } from './fill-store.ts';
import { fuzzApi } from './fuzz-api.ts';
import { openApi } from './open-api.ts';

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { get } = await openApi();
    const validator = new Validator();
    expect(await validator.validate((await get('/openapi.json')).json())).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('has exactly the routes of the server', async () => {
    const { api, get } = await openApi();
    await api.ready();
    const routes = routesOf(api);
    expect(routes).toContain('GET /api/v1/instances/{domain}/history');
    expect(documentedOperations((await get('/openapi.json')).json())).toEqual(routes);
  });

  test('describes every parameter, and names every operation uniquely', async () => {
    const { get } = await openApi();
    const { paths } = (await get('/openapi.json')).json();
    type Operation = { operationId: string; parameters?: { description?: string }[] };
    const operations = Object.values<Record<string, Operation>>(paths).flatMap((methods) => Object.values(methods));
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    const parameters = operations.flatMap(({ parameters = [] }) => parameters);
    expect(parameters.length).toBeGreaterThan(20);
    expect(parameters.filter(({ description }) => description === undefined)).toEqual([]);
  });

  test('describes every response field, and has the defaults of limits', async () => {
    const { get } = await openApi();
    const { components, paths } = (await get('/openapi.json')).json();
    const schemas = Object.entries<Described>(components.schemas);
    expect(schemas.length).toBeGreaterThan(8);
    expect(schemas.flatMap(([name, schema]) => undescribedPaths(schema, name))).toEqual([]);
    const defaultOf = (path: string, parameter: string) =>
      paths[path].get.parameters.find(({ name }: { name: string }) => name === parameter).schema.default;
    expect(defaultOf('/api/v1/instances', 'limit')).toBe(100);
    expect(defaultOf('/api/v1/instances/{domain}/history', 'limit')).toBe(100);
    expect(defaultOf('/api/v1/changes', 'limit')).toBe(100);
    expect(defaultOf('/api/v1/domains/{domain}', 'visits')).toBe(5);
  });

  test('says that enumerations in responses may get values that enumerations of parameters may not', async () => {
    const { get } = await openApi();
    const document = (await get('/openapi.json')).json();
    expect(JSON.stringify(document).match(new RegExp(UNKNOWN_VALUE_DESCRIPTION, 'g'))?.length).toBeGreaterThan(10);
    for (const { get: operation = {} } of Object.values<{ get?: object }>(document.paths)) {
      expect(JSON.stringify((operation as { parameters?: unknown }).parameters ?? null)).not.toContain(
        UNKNOWN_VALUE_DESCRIPTION,
      );
    }
  });

  test('has a working example for every request', async () => {
    const { get } = await openApi((store) => fillStore(store, 2));
    const { paths } = (await get('/openapi.json')).json();
    for (const [path, { get: operation }] of Object.entries<{ get?: { 'x-example': string } }>(paths)) {
      if (operation === undefined) continue;
      const example = operation['x-example'].replace('loops.example', nameOf(1));
      const file = example.slice(example.lastIndexOf('/') + 1);
      expect(example.split('?')[0]).toBe(path.replace('{domain}', nameOf(1)).replace('{file}', file));
      expect([example, (await get(example)).status]).toEqual([example, 200]);
    }
  });

  test('matches the responses to random requests', async () => {
    const { api } = await openApi((store) => fillStore(store, 40));
    const tally = await fuzzApi(api, { runs: 60 });
    for (const status of [200, 304, 400, 404]) expect([status, tally.has(status)]).toEqual([status, true]);
  });
});

interface Described {
  description?: string;
  $ref?: string;
  properties?: Record<string, Described>;
  items?: Described;
  anyOf?: Described[];
}

function undescribedPaths({ properties = {}, items, anyOf = [] }: Described, path: string): string[] {
  const propertyPaths = Object.entries(properties).flatMap(([name, property]) => [
    ...(property.description || property.$ref ? [] : [`${path}.${name}`]),
    ...undescribedPaths(property, `${path}.${name}`),
  ]);
  return [...propertyPaths, ...[...(items ? [items] : []), ...anyOf].flatMap((inner) => undescribedPaths(inner, path))];
}
