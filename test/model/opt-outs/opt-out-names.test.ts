import { expect, test } from 'vitest';
import { createOptOutSet, namesOptedOutHost } from '../../../src/model/opt-outs/opt-out-names.ts';

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

const names = (text: string) =>
  namesOptedOutHost(text, createOptOutSet(new Set(['loops.example', 'port.example:8443'])));

test.each([
  'loops.example',
  'https://loops.example/api/v1/config',
  'redirects to www.loops.example:8443, which redirects back here',
  'the certificate is for other.example, LOOPS.example and 3 more',
  JSON.stringify({ note: 'first\nloops.example' }),
  'https://other.example/login?next=https%3A%2F%2Floops.example%2F',
  'port.example:8443: no answer',
])('%j names a host that has opted out', (text) => {
  expect(names(text)).toBe(true);
});

test.each([
  '',
  'loops example',
  'x.loops.example',
  'unloops.example',
  'loops.example.org',
  'loops.examples',
  'port.example',
])('%j names none', (text) => {
  expect(names(text)).toBe(false);
});
