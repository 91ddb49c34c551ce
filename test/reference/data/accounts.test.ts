import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredAccount } from '../../../src/reference/data/accounts.ts';
import { openData, type ReferenceData } from '../../../src/reference/data/open-data.ts';
import { fillData } from '../../../src/reference/seed/fill-data.ts';

let data: ReferenceData;
beforeEach(() => {
  data = openData();
});
afterEach(() => {
  data[Symbol.dispose]();
});

/** A seeded account with some fields replaced. */
function accountWith(changes: Partial<StoredAccount>): StoredAccount {
  using filled = openData();
  fillData(filled);
  const [first] = filled.accounts.all();
  if (first === undefined) throw new Error('The seed gives no account.');
  return { ...first, ...changes };
}

describe('accounts', () => {
  it('finds an account by its id, and by its username in any case', () => {
    const ada = accountWith({ id: '12', username: 'ada' });
    data.accounts.add(ada);
    expect(data.accounts.find('12')).toEqual(ada);
    expect(data.accounts.findByUsername('ADA')).toEqual(ada);
    expect(data.accounts.find('13')).toBeUndefined();
    expect(data.accounts.findByUsername('eve')).toBeUndefined();
  });

  it('lists accounts in the numeric order of their ids', () => {
    for (const id of ['100', '9', '20']) data.accounts.add(accountWith({ id, username: `user${id}` }));
    expect(data.accounts.all().map(({ id }) => id)).toEqual(['9', '20', '100']);
  });

  it('changes only the given fields of an account, and finds it by its new username only', () => {
    data.accounts.add(accountWith({ id: '12', username: 'ada' }));
    data.accounts.update('12', { username: 'ada2', bio: 'New.', remote_url: 'https://a.example/' });
    expect(data.accounts.find('12')).toEqual(
      accountWith({ id: '12', username: 'ada2', bio: 'New.', remote_url: 'https://a.example/' }),
    );
    expect(data.accounts.findByUsername('ada')).toBeUndefined();
    expect(data.accounts.findByUsername('ada2')?.id).toBe('12');
  });

  it('refuses a duplicate id or username, and a change of an unknown account', () => {
    data.accounts.add(accountWith({ id: '12', username: 'ada' }));
    const message = 'The account ada with the id 12 already exists. Change it with update.';
    expect(() => data.accounts.add(accountWith({ id: '12', username: 'eve' }))).toThrow(message);
    expect(() => data.accounts.add(accountWith({ id: '13', username: 'Ada' }))).toThrow(message);
    expect(() => data.accounts.update('14', { bio: '' })).toThrow('There is no account with the id "14".');
    expect(() => data.accounts.setPassword('14', 'x')).toThrow('There is no account with the id "14".');
  });
});

describe('accounts.signIn', () => {
  it('accepts only the password of the account', () => {
    data.accounts.add(accountWith({ id: '12', username: 'ada' }), 'right');
    expect(data.accounts.signIn('ada', 'right')?.id).toBe('12');
    for (const wrong of ['', 'Right', 'right ', 'wrong', 'x'.repeat(10_000)]) {
      expect(data.accounts.signIn('ada', wrong)).toBeUndefined();
    }
    expect(data.accounts.signIn('eve', 'right')).toBeUndefined();
  });

  it('refuses an account without a password and a remote account', () => {
    data.accounts.add(accountWith({ id: '12', username: 'ada' }));
    data.accounts.add(accountWith({ id: '13', username: 'eve@a.example', local: false }), 'right');
    expect(data.accounts.signIn('ada', '')).toBeUndefined();
    expect(data.accounts.signIn('eve@a.example', 'right')).toBeUndefined();
  });

  it('accepts only the new password after a change, and no password after a removal', () => {
    data.accounts.add(accountWith({ id: '12', username: 'ada' }), 'old');
    data.accounts.setPassword('12', 'new');
    expect([data.accounts.signIn('ada', 'old'), data.accounts.signIn('ada', 'new')?.id]).toEqual([undefined, '12']);
    data.accounts.setPassword('12', null);
    expect(data.accounts.signIn('ada', 'new')).toBeUndefined();
  });

  it('accepts a password that differs only in its Unicode normalization', () => {
    data.accounts.add(accountWith({ id: '12', username: 'ada' }), 'caf\u00e9');
    expect(data.accounts.signIn('ada', 'cafe\u0301')?.id).toBe('12');
  });
});
