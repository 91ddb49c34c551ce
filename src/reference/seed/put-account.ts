import type { KeptAccount } from '../data/accounts.ts';
import type { ReferenceData } from '../data/open-data.ts';
import { overlay } from '../overlay.ts';
import { createRandom, randomInteger } from '../random.ts';
import type { AccountOptions } from './account-options.ts';
import { snowflake } from './snowflake.ts';
import { timestamp } from './timestamp.ts';

// After everything that a seed gives.
const earliestMs = Date.UTC(2026, 0, 5);
const spanSeconds = 30 * 86_400;

/**
 * Changes the account of this username, or adds it; twice is the same as once. A new id follows from the seed and the name.
 * Returns what keeps it from that, if anything does.
 * @param place that in the list of options.
 */
export function putAccount(data: ReferenceData, seed: number, given: AccountOptions, place: number): string[] {
  const { password, ...options } = given;
  const { id, ...changes } = options;
  const known = data.accounts.findByUsername(options.username);
  const holder = id === undefined ? undefined : data.accounts.find(id);
  if (known !== undefined && id !== undefined && id !== known.id) {
    return [`accounts[${place}].id is "${id}"; ${known.username} has the id ${known.id}: leave it out`];
  }
  if (known === undefined && holder !== undefined) {
    return [`accounts[${place}].id is "${id}"; that is the id of ${holder.username}: take another, or leave it out`];
  }
  if (known === undefined) {
    data.accounts.add(overlay(plainAccount(seed, options), options), password);
    return [];
  }
  data.accounts.update(known.id, changes);
  if (password !== undefined) data.accounts.setPassword(known.id, password);
  return [];
}

function plainAccount(seed: number, { id, username, local = true }: AccountOptions): KeptAccount {
  const random = createRandom(
    [...username].reduce((sum, character) => Math.imul(sum, 31) + character.charCodeAt(0), seed),
  );
  const joinedMs = earliestMs + 1000 * randomInteger(random, 0, spanSeconds - 1);
  const ownId = id ?? snowflake(joinedMs, random);
  const [handle, host = 'elsewhere.example'] = username.split('@');
  return {
    id: ownId,
    name: username,
    avatar: `/media/avatars/${encodeURIComponent(ownId)}.svg`,
    username,
    local,
    bio: '',
    post_count: 0,
    follower_count: 0,
    following_count: 0,
    url: `/@${username}`,
    remote_url: local ? null : `https://${host}/@${handle}`,
    manually_approves_followers: false,
    links: [],
    has_playlists: false,
    is_admin: false,
    created_at: timestamp(joinedMs),
    likes_count: 0,
  };
}
