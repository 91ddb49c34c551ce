import type { Sqlite } from './sqlite.ts';

export interface StoredComment {
  readonly id: string;
  readonly video_id: string;
  readonly account_id: string;
  readonly caption: string;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
}

export function createInteractions(db: Sqlite) {
  const insertFollow = db.prepare('INSERT OR IGNORE INTO follows VALUES (?, ?)');
  const removeFollow = db.prepare('DELETE FROM follows WHERE follower_id = ? AND followed_id = ?');
  const selectFollow = db.prepare('SELECT 1 FROM follows WHERE follower_id = ? AND followed_id = ?');
  const insertComment = db.prepare('INSERT INTO comments VALUES (?, ?, ?, ?, ?)');
  const selectComments = db.prepare<[string], StoredComment>(
    'SELECT * FROM comments WHERE video_id = ? ORDER BY length(id) DESC, id DESC',
  );
  return {
    /** True if the follow is new. */
    follow: (...ids: [followerId: string, followedId: string]) => insertFollow.run(...ids).changes === 1,
    /** True if there was such a follow. */
    unfollow: (...ids: [followerId: string, followedId: string]) => removeFollow.run(...ids).changes === 1,
    follows: (...ids: [followerId: string, followedId: string]) => selectFollow.get(...ids) !== undefined,
    addComment: ({ id, video_id, account_id, caption, created_at }: StoredComment) => {
      insertComment.run(id, video_id, account_id, caption, created_at);
    },
    /** Newest first. */
    commentsOn: (videoId: string): StoredComment[] => selectComments.all(videoId),
  };
}

/** The follows and comments of users. */
export type Interactions = ReturnType<typeof createInteractions>;
