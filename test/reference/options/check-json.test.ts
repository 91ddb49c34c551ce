import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkJson, JsonFileError } from '../../../src/reference/options/json-file.ts';
import { ServerOptionsFile } from '../../../src/reference/options/server-options-file.ts';
import { strictDeepPartial } from '../../../src/reference/options/state-settings.ts';

/** The problems of the options of a server, one in each line; `none`: they are valid. */
function problemsOf(options: unknown): string {
  try {
    checkJson('a.json', options, ServerOptionsFile);
    return 'none';
  } catch (error) {
    if (error instanceof JsonFileError) return error.problems.join('\n');
    throw error;
  }
}

describe('checkJson', () => {
  it.for<[value: unknown, problem: string | RegExp]>([
    [{ port: 1.5 }, 'port is 1.5; Invalid input: expected int, received number'],
    [{ profile: 'wild' }, 'profile is "wild"; Invalid option: expected one of "spec"|"live"'],
    [{ robots: 5 }, 'robots is 5; Invalid input: expected string, received number'],
    [{ robots: undefined }, 'robots is missing; Invalid input: expected string, received undefined'],
    [{ tls: { certificate: 'bad' } }, /^tls.certificate is "bad"; Invalid option: expected one of "expired"\|/],
    [
      { delayMs: [1] },
      /^delayMs is \[1\]; Invalid input: expected number, received array; or Too small: expected array to have >=2 items/,
    ],
    [
      { rateLimit: { perMinute: 1 } },
      'rateLimit.perHour is missing; Invalid input: expected number, received undefined',
    ],
    [{ faults: [{ route: '*' }] }, /^faults\[0\]\.fault is missing; Invalid discriminator value. Expected 'status' \|/],
    [
      { faults: [{ route: '*', fault: 'stall', at: 'noon' }] },
      'faults[0].at is "noon"; Invalid option: expected one of "before-headers"|"in-headers"|"in-body"',
    ],
    [
      { faults: [{ route: '*', fault: 'redirect', to: 'nowhere' }] },
      'faults[0].to is "nowhere"; must be loop, chain, loopback, private, http, data or an absolute http URL',
    ],
    [{ delayMs: [5, 1] }, 'delayMs is [5,1]; the first of the two must not be the larger'],
    [{ rateLimit: { perMinute: 1, perHour: 1, x: 1 } }, 'rateLimit.x is not a known key; allowed: perMinute, perHour'],
    [
      { faults: [{ route: 'x', fault: 'nope', times: 0 }] },
      /^faults\[0\]\.fault is "nope"; Invalid discriminator value. Expected 'status' \|/,
    ],
    [
      { accounts: [{ password: 'x' }] },
      'accounts[0].username is missing; Invalid input: expected string, received undefined',
    ],
  ])('reports the path and the expectation for %o', ([value, problem]) => {
    const found = problemsOf(value);
    if (typeof problem === 'string') expect(found).toBe(problem);
    else expect(found).toMatch(problem);
  });

  it('accepts valid options', () => {
    expect(problemsOf({ $schema: 'x', seed: 5, config: {} })).toBe('none');
  });

  it('reports all problems at once, each with the name of the file', () => {
    const check = () => checkJson('a.json', { seed: -1, port: 'x' }, ServerOptionsFile);
    expect(check).toThrow(/^a\.json: port is "x"; .*\na\.json: seed is -1; .*$/);
  });

  it('reports the problems of the extra check, with or without problems of the schema', () => {
    const extraCheck = (value: unknown) => [`port is ${Object(value).port}; not allowed here`];
    const check = (value: unknown) => () => checkJson('a.json', value, ServerOptionsFile, extraCheck);
    expect(check({ seed: -1, port: 7 })).toThrow(/^a\.json: seed is -1; .*\na\.json: port is 7; not allowed here$/);
    expect(check({ port: 7 })).toThrow(/^a\.json: port is 7; not allowed here$/);
  });
});

describe('strictDeepPartial', () => {
  const schema = strictDeepPartial(
    z.object({ a: z.object({ b: z.string(), c: z.array(z.string()) }), d: z.int().optional() }),
  );

  it.for([{}, { a: {} }, { a: { b: 'x' } }, { a: { c: ['y'] }, d: 5 }])('accepts any part: %o', (value) => {
    expect(schema.parse(value)).toEqual(value);
  });

  it.for([{ e: 1 }, { a: { f: 1 } }, { a: { b: 5 } }, { a: { c: 'y' } }, { a: null }])(
    'refuses other values: %o',
    (value) => {
      expect(schema.safeParse(value).success).toBe(false);
    },
  );
});
