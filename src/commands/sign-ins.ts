import { type ReferenceServer, type ReferenceServerOptions, seededAccounts } from '../reference/index.ts';

export interface SignIn {
  username: string;
  password: string;
}

/**
 * Who can sign in to a server, as far as passwords are known: those that the seed gives and those that the options give, where
 * the server takes them. A database may hold others.
 */
export function signInsOf({ state }: ReferenceServer, { accounts = [] }: ReferenceServerOptions): SignIn[] {
  const seeded = seededAccounts(Number(state.data.fact('seed') ?? 1));
  const own = accounts.flatMap(({ username, password }) => (password === undefined ? [] : [{ username, password }]));
  const accepted = new Map<string, SignIn>();
  for (const { username, password } of [...seeded, ...own]) {
    const account = state.data.accounts.signIn(username, password);
    if (account !== undefined) accepted.set(account.id, { username: account.username, password });
  }
  return [...accepted.values()];
}
