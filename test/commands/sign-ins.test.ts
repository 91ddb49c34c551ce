import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { referenceExamples, signInsOf } from '../../src/commands/reference-server.ts';
import { createReferenceServer, type ReferenceServerOptions, seededAccounts } from '../../src/reference/index.ts';

async function signIns(options: ReferenceServerOptions) {
  await using server = await createReferenceServer(options);
  const found = signInsOf(server, options);
  for (const { username, password } of found) {
    expect(server.state.data.accounts.signIn(username, password)?.username).toBe(username);
  }
  return found;
}

const others = seededAccounts().filter(({ username }) => username !== 'ada');

it('the printed sign-ins are those of the seeded accounts and of added accounts with a password', async () => {
  expect(await signIns({})).toEqual(seededAccounts());
  const accounts = [{ username: 'kim', password: 'secret' }, { username: 'lee' }];
  expect(await signIns({ accounts })).toEqual([...seededAccounts(), { username: 'kim', password: 'secret' }]);
});

it('each account is printed once, with its valid password, for any letter case in the options', async () => {
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

it('a remote account is not printed', async () => {
  const accounts = [
    { username: 'kim@clips.example', local: false, password: 'secret' },
    { username: 'ada', local: false },
  ];
  expect(await signIns({ accounts })).toEqual(others);
});

it('an account with another password in the existing database is not printed', async () => {
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

it('without sign-ins, the text says that no password is known', () => {
  const app = { client_id: 'id', client_secret: 'secret', redirect_uri: 'urn:ietf:wg:oauth:2.0:oob' };
  const facts = { url: 'http://127.0.0.1:1', port: 1, caFile: null, profile: 'spec', videos: [], app };
  const [first, second, third] = referenceExamples({ ...facts, accounts: [], token: null, control: null }).split('\n');
  expect(first).toBe('Reference server at http://127.0.0.1:1 (profile spec). No password is known to this command.');
  expect([second, third]).toEqual(['Check it: loopscout check http://127.0.0.1:1', 'Try:']);
});
