import { type DeepPartial, deepMerge } from '../deep-merge.ts';
import type { Video } from '../resources.ts';
import type { Sqlite } from './sqlite.ts';

/**
 * A video with its account as an id and without the fields that depend on the requester. `url` and the URLs of `media` may be
 * paths that start with `/`; answers prefix them with the base URL of the server.
 */
export type StoredVideo = Omit<Video, 'account' | 'is_owner' | 'has_liked' | 'has_bookmarked'> & {
  account_id: string;
  /** Ids of accounts. */
  liked_by: string[];
  bookmarked_by: string[];
};

export function createVideos(db: Sqlite) {
  const insert = db.prepare('INSERT INTO videos (id, account_id, document) VALUES (?, ?, ?)');
  const select = db.prepare<[string], string>('SELECT document FROM videos WHERE id = ?').pluck();
  // The order of ids by number, as for accounts.
  const selectAll = db.prepare<[], string>('SELECT document FROM videos ORDER BY length(id), id').pluck();
  const change = db.prepare('UPDATE videos SET account_id = ?, document = ? WHERE id = ?');
  const selectAccount = db.prepare<[string], number>('SELECT 1 FROM accounts WHERE id = ?').pluck();
  const read = (document: string | undefined) =>
    document === undefined ? undefined : (JSON.parse(document) as StoredVideo);

  const checkAccount = (id: string): void => {
    if (selectAccount.get(id) !== undefined) return;
    throw new Error(`There is no account with the id ${JSON.stringify(id)} for a video. Use one from accounts.all().`);
  };

  const add = db.transaction((video: StoredVideo) => {
    checkAccount(video.account_id);
    if (select.get(video.id) !== undefined) {
      throw new Error(`The video with the id ${video.id} already exists. Change it with update.`);
    }
    insert.run(video.id, video.account_id, JSON.stringify(video));
  });
  const update = db.transaction((id: string, changes: DeepPartial<Omit<StoredVideo, 'id'>>) => {
    const video = read(select.get(id));
    if (video === undefined) {
      throw new Error(`There is no video with the id ${JSON.stringify(id)}. Use one from videos.all().`);
    }
    const changed = { ...deepMerge(video, changes), id };
    checkAccount(changed.account_id);
    change.run(changed.account_id, JSON.stringify(changed), id);
  });

  return {
    /** @throws when its id is taken, or no account has its `account_id`. */
    add: add.immediate,
    find: (id: string): StoredVideo | undefined => read(select.get(id)),
    /** Oldest first, by id. */
    all: (): StoredVideo[] => selectAll.all().map((document) => JSON.parse(document) as StoredVideo),
    /**
     * Merges changes into a video at every depth; the id stays.
     * @throws when no video has this id, or no account has the `account_id`.
     */
    update: update.immediate,
  };
}

export type Videos = ReturnType<typeof createVideos>;
