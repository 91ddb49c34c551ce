import { expect, it } from 'vitest';
import { whatIsLeft } from '../../src/check/what-is-left.ts';
import { exchangeOf } from './evidence-of.ts';
import { checkHost, startOperatorHost } from './operator-host.ts';

const answer = (status: number | null) => exchangeOf(status === null ? { failure: 'response-timeout' } : { status });
const deep = (app: number | null, token: number | null = null, revoke: number | null = null) => ({
  app: answer(app),
  token: token === null ? null : answer(token),
  self: token === null ? null : answer(403),
  revoke: revoke === null ? null : answer(revoke),
  selfAfterRevoke: null,
});

it('tells of the app that is left, and how to remove it, with a line of ours alone', () => {
  const told = whatIsLeft(deep(201, 200, 200));
  expect(told).toMatch(/^The deep check left an app named "Loopscout check" at the server\. Its token was revoked\./);
  expect(told?.split('\n').at(-1)).toMatch(/^ {4}php artisan tinker .*'Loopscout check'/);
});

it.for<[Parameters<typeof whatIsLeft>[0], RegExp | null]>([
  [null, null],
  [deep(422), null],
  [deep(500), null],
  [deep(null), /^The deep check may have left an app/],
  [deep(200), /at the server\. To remove it/],
  [deep(200, 200, 404), /Its token could not be revoked/],
  [deep(200, 200), /Its token could not be revoked/],
])('says no more than is known (%#)', ([evidence, told]) => {
  if (told === null) expect(whatIsLeft(evidence)).toBeNull();
  else expect(whatIsLeft(evidence)).toMatch(told);
});

it('is in the report of a deep check, of none other, and not when the deep rules were left out', async () => {
  const host = await startOperatorHost();
  expect((await checkHost(host)).left).toBeNull();
  expect((await checkHost(host, { deep: true })).left).toContain('"Loopscout check"');
});
