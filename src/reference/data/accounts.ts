import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { overlay, type Partially } from '../overlay.ts';
import type { Account } from '../resources.ts';
import type { Sqlite } from './sqlite.ts';

/**
 * An account as it is kept: what depends on who asks is left to the endpoint. `url` and `avatar` may be paths that start
 * with `/`; the base URL of the server is put before them when they are sent.
 */
export type KeptAccount = Omit<Account, 'is_owner' | 'is_blocking'>;

export interface Accounts {
  /**
   * Adds an account; without a password nobody can sign in to it.
   * @throws when there is one with this id or username already (usernames differ by more than their case).
   */
  add(account: KeptAccount, password?: string): void;
  find(id: string): KeptAccount | undefined;
  findByUsername(username: string): KeptAccount | undefined;
  /** In the order of their ids, that is of their age. */
  all(): KeptAccount[];
  /**
   * Lays changes over what is kept of an account, at every depth; the id stays.
   * @throws when there is no account with this id, or the username is another's.
   */
  update(id: string, changes: Partially<Omit<KeptAccount, 'id'>>): void;
  /** Sets the password; null: nobody can sign in any more. */
  setPassword(id: string, password: string | null): void;
  /** The account, when the password is the one of the local account of this name; takes as long for a wrong name as for a wrong password. */
  signIn(username: string, password: string): KeptAccount | undefined;
}

interface Row {
  document: string;
  password_salt: Buffer | null;
  password_hash: Buffer | null;
}

export function createAccounts(db: Sqlite): Accounts {
  const insert = db.prepare('INSERT INTO accounts (id, username, document) VALUES (?, ?, ?)');
  const select = db.prepare<[string], string>('SELECT document FROM accounts WHERE id = ?').pluck();
  const selectByName = db.prepare<[string], Row>('SELECT * FROM accounts WHERE username = ?');
  // Ids are decimal numbers without leading zeros, so that the longer one is the greater one.
  const selectAll = db.prepare<[], string>('SELECT document FROM accounts ORDER BY length(id), id').pluck();
  const change = db.prepare('UPDATE accounts SET username = ?, document = ? WHERE id = ?');
  const changePassword = db.prepare('UPDATE accounts SET password_salt = ?, password_hash = ? WHERE id = ?');
  const read = (document: string | undefined) =>
    document === undefined ? undefined : (JSON.parse(document) as KeptAccount);

  const setPassword = (id: string, password: string | null): void => {
    const salt = password === null ? null : randomBytes(16);
    const hash = password === null || salt === null ? null : hashPassword(password, salt);
    if (changePassword.run(salt, hash, id).changes === 0) throw new Error(unknownAccount(id));
  };
  // Compared with when there is nothing else to compare with, so that the work is the same.
  const nobody = { salt: randomBytes(16), hash: randomBytes(32) };

  const add = db.transaction((account: KeptAccount, password?: string) => {
    const taken = read(select.get(account.id)) ?? read(selectByName.get(account.username)?.document);
    if (taken !== undefined) {
      throw new Error(`There is an account ${taken.username} with the id ${taken.id} already. Change it with update.`);
    }
    insert.run(account.id, String(account.username), JSON.stringify(account));
    if (password !== undefined) setPassword(account.id, password);
  });
  const update = db.transaction((id: string, changes: Partially<Omit<KeptAccount, 'id'>>) => {
    const account = read(select.get(id));
    if (account === undefined) throw new Error(unknownAccount(id));
    const changed = { ...overlay(account, changes), id };
    // A test may set one that is no string.
    change.run(String(changed.username), JSON.stringify(changed), id);
  });

  return {
    add: add.immediate,
    find: (id) => read(select.get(id)),
    findByUsername: (username) => read(selectByName.get(username)?.document),
    all: () => selectAll.all().map((document) => JSON.parse(document) as KeptAccount),
    update: update.immediate,
    setPassword,
    signIn: (username, password) => {
      const row = selectByName.get(username);
      const isRight = passwordMatches(password, row?.password_salt ?? nobody.salt, row?.password_hash ?? nobody.hash);
      const account = read(row?.document);
      return isRight && account?.local === true ? account : undefined;
    },
  };
}

function unknownAccount(id: string): string {
  return `There is no account with the id ${JSON.stringify(id)}. Take one of accounts.all().`;
}

/**
 * Two milliseconds of work. Much less than a service with people on it should take (N=131072), because the passwords here
 * are printed at the start, and because every server of a test is to start quickly.
 */
const cost = { N: 1024, r: 8, p: 1 };

/** What is kept of a password: its scrypt digest, 32 bytes. */
function hashPassword(password: string, salt: Uint8Array): Buffer {
  return scryptSync(password.normalize('NFC'), salt, 32, cost);
}

/** Compares a password with a digest that was kept; takes the same time wherever they differ. */
function passwordMatches(password: string, salt: Uint8Array, hash: Uint8Array): boolean {
  return timingSafeEqual(hashPassword(password, salt), hash);
}
