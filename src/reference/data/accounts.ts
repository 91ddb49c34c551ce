import { randomBytes, type ScryptOptions, scryptSync, timingSafeEqual } from 'node:crypto';
import { type DeepPartial, deepMerge } from '../deep-merge.ts';
import type { Account } from '../resources.ts';
import type { Sqlite } from './sqlite.ts';

/**
 * An account without the fields that depend on the requester. `url` and `avatar` may be paths that start with `/`; answers
 * prefix them with the base URL of the server.
 */
export type StoredAccount = Omit<Account, 'is_owner' | 'is_blocking'>;

interface Row {
  document: string;
  password_salt: Buffer | null;
  password_hash: Buffer | null;
}

export function createAccounts(db: Sqlite) {
  const insert = db.prepare('INSERT INTO accounts (id, username, document) VALUES (?, ?, ?)');
  const select = db.prepare<[string], string>('SELECT document FROM accounts WHERE id = ?').pluck();
  const selectByName = db.prepare<[string], Row>('SELECT * FROM accounts WHERE username = ?');
  // Ids are decimal numbers without leading zeros: the longer one is the larger.
  const selectAll = db.prepare<[], string>('SELECT document FROM accounts ORDER BY length(id), id').pluck();
  const change = db.prepare('UPDATE accounts SET username = ?, document = ? WHERE id = ?');
  const changePassword = db.prepare('UPDATE accounts SET password_salt = ?, password_hash = ? WHERE id = ?');
  const read = (document: string | undefined) =>
    document === undefined ? undefined : (JSON.parse(document) as StoredAccount);

  const cost = { N: db.memory ? 2 : FILE_COST, r: 8, p: 1 };
  const setPassword = (id: string, password: string | null): void => {
    const salt = password === null ? null : randomBytes(16);
    const hash = password === null || salt === null ? null : hashPassword(password, salt, cost);
    if (changePassword.run(salt, hash, id).changes === 0) throw new Error(unknownAccount(id));
  };
  // Stands in for a missing account or password, so that a sign-in always takes the same time.
  const dummy = { salt: randomBytes(16), hash: randomBytes(32) };

  const add = db.transaction((account: StoredAccount, password?: string) => {
    const existing = read(select.get(account.id)) ?? read(selectByName.get(account.username)?.document);
    if (existing !== undefined) {
      throw new Error(
        `The account ${existing.username} with the id ${existing.id} already exists. Change it with update.`,
      );
    }
    insert.run(account.id, String(account.username), JSON.stringify(account));
    if (password !== undefined) setPassword(account.id, password);
  });
  const update = db.transaction((id: string, changes: DeepPartial<Omit<StoredAccount, 'id'>>) => {
    const account = read(select.get(id));
    if (account === undefined) throw new Error(unknownAccount(id));
    const changed = { ...deepMerge(account, changes), id };
    // A test may set a username that is not a string.
    change.run(String(changed.username), JSON.stringify(changed), id);
  });

  return {
    /**
     * Adds an account; without a password nobody can sign in to it.
     * @throws when its id or username is taken (usernames are compared without case).
     */
    add: add.immediate,
    find: (id: string): StoredAccount | undefined => read(select.get(id)),
    findByUsername: (username: string): StoredAccount | undefined => read(selectByName.get(username)?.document),
    /** Oldest first, by id. */
    all: (): StoredAccount[] => selectAll.all().map((document) => JSON.parse(document) as StoredAccount),
    /**
     * Merges changes into an account at every depth; the id stays.
     * @throws when there is no account with this id, or the new username is taken.
     */
    update: update.immediate,
    /** Sets the password; null disables signing in. */
    setPassword,
    /** The local account with this username and password. A wrong username takes as long as a wrong password. */
    signIn: (username: string, password: string): StoredAccount | undefined => {
      const row = selectByName.get(username);
      const isPasswordRight = passwordMatches(
        password,
        row?.password_salt ?? dummy.salt,
        row?.password_hash ?? dummy.hash,
        cost,
      );
      const account = read(row?.document);
      return isPasswordRight && account?.local === true ? account : undefined;
    },
  };
}

export type Accounts = ReturnType<typeof createAccounts>;

function unknownAccount(id: string): string {
  return `There is no account with the id ${JSON.stringify(id)}. Use one from accounts.all().`;
}

/**
 * For digests in a file: two milliseconds of work, far less than a public service should use (N=131072), because these passwords are
 * printed at start-up, and test servers must start quickly. Digests in memory protect nothing.
 */
const FILE_COST = 1024;

/** The stored scrypt digest of a password, 32 bytes. */
function hashPassword(password: string, salt: Uint8Array, cost: ScryptOptions): Buffer {
  return scryptSync(password.normalize('NFC'), salt, 32, cost);
}

/** Compares a password with a stored digest in constant time. */
function passwordMatches(password: string, salt: Uint8Array, hash: Uint8Array, cost: ScryptOptions): boolean {
  return timingSafeEqual(hashPassword(password, salt, cost), hash);
}
