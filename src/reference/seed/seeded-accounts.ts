import { seedAccounts } from './seed-accounts.ts';

/** Who can sign in to a server of this seed, and how. */
export function seededAccounts(seed = 1): { username: string; password: string }[] {
  return seedAccounts(seed).flatMap(({ account, password }) =>
    password === null ? [] : [{ username: account.username, password }],
  );
}
