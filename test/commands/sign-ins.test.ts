import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { referenceExamples, signInsOf } from '../../src/commands/reference-examples.ts';
import { createReferenceServer, type ReferenceServerOptions, seededAccounts } from '../../src/reference/index.ts';

async function signIns(options: ReferenceServerOptions, told = options) {
  await using server = await createReferenceServer(options);
  const found = signInsOf(server, told);
  for (const { username, password } of found) {
    expect(server.state.data.accounts.signIn(username, password)?.username).toBe(username);
  }
  return found;
}

const others = seededAccounts().filter(({ username }) => username !== 'ada');

it('are those of the cast, and the accounts that have a password', async () => {
  expect(await signIns({})).toEqual(seededAccounts());
  const accounts = [{ username: 'kim', password: 'secret' }, { username: 'lee' }];
  expect(await signIns({ accounts })).toEqual([...seededAccounts(), { username: 'kim', password: 'secret' }]);
});

it('name each account once, with the password that holds, however the options write it', async () => {
  const accounts = [
    { username: 'ADA', password: 'x' },
    { username: 'kim', password: 'first' },
    { username: 'Kim', password: 'second' },
  ];
  expect(await signIns({ accounts })).toEqual([
    ...others,
    { username: 'ADA', password: 'x' },
    { username: 'Kim', password: 'second' },
  ]);
});

it('leave out an account of another server, which nobody can sign in to', async () => {
  const accounts = [
    { username: 'kim@clips.example', local: false, password: 'secret' },
    { username: 'ada', local: false },
  ];
  expect(await signIns({ accounts })).toEqual(others);
});

it('leave out who has another password in the database that is kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
  try {
    const database = join(folder, 'kept.sqlite');
    const accounts = [{ username: 'ada', password: 'changed' }];
    expect(await signIns({ database, accounts })).toContainEqual(accounts[0]);
    expect(await signIns({ database })).toEqual(others);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('are said to be unknown when there are none', () => {
  const app = { client_id: 'id', client_secret: 'secret', redirect_uri: 'urn:ietf:wg:oauth:2.0:oob' };
  const facts = { url: 'http://127.0.0.1:1', caFile: null, profile: 'spec', video: undefined, app };
  const [first, second] = referenceExamples({ ...facts, accounts: [] }).split('\n');
  expect(first).toBe('Reference server at http://127.0.0.1:1 (profile spec). No password is known to this command.');
  expect(second).toBe('Try:');
});
