import { expect, test } from 'vitest';
import { domainLineOf } from '../../src/export/datasets/domains.ts';
import { UNKNOWN_HOST } from '../../src/model/facts/host-facts.ts';
import { domainRecordOf } from './record-of.ts';

const lineOf = (overrides: Parameters<typeof domainRecordOf>[1]) =>
  domainLineOf(domainRecordOf('a.example.org', overrides), () => false);

test('a domain has no line if it asks not to be published; it has one if it does not ask, or if that is unknown', () => {
  expect(lineOf({ host: { ...UNKNOWN_HOST, noindex: true } })).toBeNull();
  expect(lineOf({ host: { ...UNKNOWN_HOST, noindex: false } })).toMatchObject({ domain: 'a.example.org' });
  expect(lineOf({ host: { ...UNKNOWN_HOST, noindex: null } })).toMatchObject({ domain: 'a.example.org' });
});
