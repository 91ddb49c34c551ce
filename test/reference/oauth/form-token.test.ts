import { expect, it } from 'vitest';
import { openData } from '../../../src/reference/data/open-data.ts';
import {
  createFormToken,
  type FormContext,
  formTokenMatches,
} from '../../../src/reference/endpoints/consent-session.ts';

const context: FormContext = { cookie: 'c', purpose: 'consent', rawQuery: "state='" };

it('a form token is valid for one cookie, one purpose, one request and one server', () => {
  using data = openData();
  using otherData = openData();
  const token = createFormToken(data, context);
  expect(formTokenMatches(data, context, token)).toBe(true);
  expect(formTokenMatches(data, { ...context, cookie: 'd' }, token)).toBe(false);
  expect(formTokenMatches(data, { ...context, purpose: 'sign-in' }, token)).toBe(false);
  expect(formTokenMatches(data, { ...context, rawQuery: 'state=b' }, token)).toBe(false);
  expect(formTokenMatches(otherData, context, token)).toBe(false);
  for (const wrong of ['', `${token}x`, token.slice(1), 'é'.repeat(43)]) {
    expect(formTokenMatches(data, context, wrong)).toBe(false);
  }
});

it('a form token stays valid when the browser percent-encodes an apostrophe of the query', () => {
  using data = openData();
  expect(formTokenMatches(data, { ...context, rawQuery: 'state=%27' }, createFormToken(data, context))).toBe(true);
});
