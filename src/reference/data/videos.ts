import { overlay, type Partially } from '../overlay.ts';
import type { Video } from '../resources.ts';
import type { Sqlite } from './sqlite.ts';

/**
 * A video as it is kept: its account by id, and without what depends on who asks. `url` and the URLs of `media` may be
 * paths that start with `/`; the base URL of the server is put before them when they are sent.
 */
export type KeptVideo = Omit<Video, 'account' | 'is_owner' | 'has_liked' | 'has_bookmarked'> & {
  account_id: string;
  /** Ids of accounts. */
  liked_by: string[];
  bookmarked_by: string[];
};

export interface Videos {
  /** @throws when there is one with this id already, or no account with its `account_id`. */
  add(video: KeptVideo): void;
  find(id: string): KeptVideo | undefined;
  /** In the order of their ids, that is of their age. */
  all(): KeptVideo[];
  /**
   * Lays changes over what is kept of a video, at every depth; the id stays.
   * @throws when there is no video with this id, or no account with the `account_id`.
   */
  update(id: string, changes: Partially<Omit<KeptVideo, 'id'>>): void;
}

export function createVideos(db: Sqlite): Videos {
  const insert = db.prepare('INSERT INTO videos (id, account_id, document) VALUES (?, ?, ?)');
  const select = db.prepare<[string], string>('SELECT document FROM videos WHERE id = ?').pluck();
  const selectAll = db.prepare<[], string>('SELECT document FROM videos ORDER BY length(id), id').pluck();
  const change = db.prepare('UPDATE videos SET account_id = ?, document = ? WHERE id = ?');
  const selectAccount = db.prepare<[string], number>('SELECT 1 FROM accounts WHERE id = ?').pluck();
  const read = (document: string | undefined) =>
    document === undefined ? undefined : (JSON.parse(document) as KeptVideo);

  const checkAccount = (id: string): void => {
    if (selectAccount.get(id) !== undefined) return;
    throw new Error(`There is no account with the id ${JSON.stringify(id)} for a video. Take one of accounts.all().`);
  };

  const add = db.transaction((video: KeptVideo) => {
    checkAccount(video.account_id);
    if (select.get(video.id) !== undefined) {
      throw new Error(`There is a video with the id ${video.id} already. Change it with update.`);
    }
    insert.run(video.id, video.account_id, JSON.stringify(video));
  });
  const update = db.transaction((id: string, changes: Partially<Omit<KeptVideo, 'id'>>) => {
    const video = read(select.get(id));
    if (video === undefined) {
      throw new Error(`There is no video with the id ${JSON.stringify(id)}. Take one of videos.all().`);
    }
    const changed = { ...overlay(video, changes), id };
    checkAccount(changed.account_id);
    change.run(changed.account_id, JSON.stringify(changed), id);
  });

  return {
    add: add.immediate,
    find: (id) => read(select.get(id)),
    all: () => selectAll.all().map((document) => JSON.parse(document) as KeptVideo),
    update: update.immediate,
  };
}
