import type { Sqlite } from './sqlite.ts';

export interface StoredComment {
  readonly id: string;
  readonly video_id: string;
  readonly account_id: string;
  readonly caption: string;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
}

/** The follows and comments of users. */
export interface Interactions {
  /** True if the follow is new. */
  follow(followerId: string, followedId: string): boolean;
  /** True if there was such a follow. */
  unfollow(followerId: string, followedId: string): boolean;
  follows(followerId: string, followedId: string): boolean;
  addComment(comment: StoredComment): void;
  /** Newest first. */
  commentsOn(videoId: string): StoredComment[];
}

export function createInteractions(db: Sqlite): Interactions {
  const insertFollow = db.prepare('INSERT OR IGNORE INTO follows VALUES (?, ?)');
  const removeFollow = db.prepare('DELETE FROM follows WHERE follower_id = ? AND followed_id = ?');
  const selectFollow = db.prepare('SELECT 1 FROM follows WHERE follower_id = ? AND followed_id = ?');
  const insertComment = db.prepare('INSERT INTO comments VALUES (?, ?, ?, ?, ?)');
  const selectComments = db.prepare<[string], StoredComment>(
    'SELECT * FROM comments WHERE video_id = ? ORDER BY length(id) DESC, id DESC',
  );
  return {
    follow: (...ids) => insertFollow.run(...ids).changes === 1,
    unfollow: (...ids) => removeFollow.run(...ids).changes === 1,
    follows: (...ids) => selectFollow.get(...ids) !== undefined,
    addComment: ({ id, video_id, account_id, caption, created_at }) => {
      insertComment.run(id, video_id, account_id, caption, created_at);
    },
    commentsOn: (videoId) => selectComments.all(videoId),
  };
}
