import { expect, test } from 'vitest';
import { createOptOutSet, REDACTED_NAME } from '../../../src/model/opt-outs/opt-out-names.ts';

const covers = (optOut: string, name: string) => createOptOutSet(new Set([optOut])).has(name);

test.each([
  ['loops.example.org', 'loops.example.org'],
  ['loops.example.org', 'loops.example.org:8443'],
  ['loops.example.org', 'www.loops.example.org'],
  ['loops.example.org', 'www.loops.example.org:80'],
  ['www.loops.example.org', 'loops.example.org'],
  ['www.loops.example.org', 'loops.example.org:8443'],
  ['loops.example.org:8443', 'loops.example.org:8443'],
  ['loops.example.org:8443', 'www.loops.example.org:8443'],
  ['www.loops.example.org:8443', 'loops.example.org:8443'],
  ['www.com', 'www.com:8443'],
])('an opt-out of %s covers %s', (optOut, name) => {
  expect(covers(optOut, name)).toBe(true);
});

test.each([
  ['loops.example.org', 'example.org'],
  ['example.org', 'loops.example.org'],
  ['loops.example.org', 'www2.loops.example.org'],
  ['loops.example.org', 'www.www.loops.example.org'],
  ['loops.example.org:8443', 'loops.example.org'],
  ['loops.example.org:8443', 'loops.example.org:443'],
  ['loops.example.org:8443', 'loops.example.org:844'],
  ['www.com', 'com'],
  ['www.example.org', 'wwwexample.org'],
])('an opt-out of %s does not cover %s', (optOut, name) => {
  expect(covers(optOut, name)).toBe(false);
});

test('the redacted name counts as an opted-out host, with any port', () => {
  const none = createOptOutSet(new Set());
  expect([none.size, none.has(REDACTED_NAME), none.has(`${REDACTED_NAME}:8443`)]).toEqual([0, true, true]);
});
