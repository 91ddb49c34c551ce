import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { createFleet, FleetFile, kinds, ServerOptionsFile } from '../../../src/reference/index.ts';
import { schemaFile } from '../../schema-file.ts';

const repository = join(import.meta.dirname, '../../..');
const files: [name: string, schema: z.ZodType][] = [
  ['reference-options', ServerOptionsFile],
  ['reference-fleet', FleetFile],
];
const readCommittedSchema = (name: string) =>
  JSON.parse(readFileSync(join(repository, `data/${name}.schema.json`), 'utf8'));
const validators = new Map(
  files.map(([name]) => [
    name,
    new Ajv2020({ formats: { uri: true, 'date-time': true }, strict: false }).compile(readCommittedSchema(name)),
  ]),
);
const validatorOf = (name: string) => validators.get(name) ?? expect.fail(name);

describe.for(files)('the JSON Schema %s', ([name, schema]) => {
  it('in data/ is up to date (npm test -- --update writes it)', async () => {
    await expect(schemaFile(schema)).toMatchFileSnapshot(join(repository, `data/${name}.schema.json`));
  });

  it('describes in sentences every key of the file and, in a fleet file, of a host', () => {
    const { properties } = readCommittedSchema(name);
    const keys = Object.entries<{ description?: string }>({ ...properties, ...properties.hosts?.items.properties });
    // A fleet file has 7 keys in addition to those of a host.
    expect(keys.length).toBeGreaterThan(7);
    for (const [key, { description }] of keys) expect(description ?? '', key).toMatch(/\.$/);
  });
});

it.for<[value: object, isValid: boolean]>([
  [{}, true],
  [{ $schema: 'x', port: 0, rateLimit: null, delayMs: [1, 2], config: { app: { name: 'A' } } }, true],
  [{ accounts: [{ username: 'kim' }], videos: [{ by: 'kim', media: { duration: 3 } }] }, true],
  [{ faults: [{ route: '*', fault: 'redirect', to: 'loop' }], lifetimes: { token: null }, tls: true }, true],
  [{ extra: 1 }, false],
  [{ port: -1 }, false],
  [{ config: { app: { nmae: 'A' } } }, false],
  [{ accounts: [{ bio: '' }] }, false],
  [{ faults: [{ route: '*', fault: 'explode' }] }, false],
  [{ delayMs: [1] }, false],
])('the JSON Schema of an options file and its zod schema agree on whether %j is valid: %j', ([value, isValid]) => {
  expect(validatorOf('reference-options')(value)).toBe(isValid);
  expect(ServerOptionsFile.safeParse(value).success).toBe(isValid);
});

it.for<[value: object, isValid: boolean]>([
  [{ hosts: [{}] }, true],
  [
    {
      $schema: 'x',
      seed: 7,
      tld: 'test',
      hosts: [
        { kind: 'any', count: 3 },
        { name: 'a.test', expect: null },
      ],
    },
    true,
  ],
  [{ hosts: [{ expect: { verdict: 'unreachable' }, dns: 'nxdomain' }] }, true],
  [{}, false],
  [{ hosts: [] }, false],
  [{ hosts: [{ kind: 'lops' }] }, false],
  [{ hosts: [{ name: 'A' }] }, false],
  [{ hosts: [{ expect: {} }] }, false],
  [{ hosts: [{ zz: 1 }] }, false],
])('the JSON Schema of a fleet file and createFleet agree on whether %j is valid: %j', async ([value, isValid]) => {
  expect(validatorOf('reference-fleet')(value)).toBe(isValid);
  const isAccepted = await createFleet({ file: value as FleetFile }).then(
    (fleet) => fleet.close().then(() => true),
    () => false,
  );
  expect(isAccepted).toBe(isValid);
});

it('the JSON Schema of a fleet file allows every kind, and the kind "any"', () => {
  const { kind } = readCommittedSchema('reference-fleet').properties.hosts.items.properties;
  expect(kind.enum).toEqual(['any', ...kinds.map(({ name }) => name)]);
});
