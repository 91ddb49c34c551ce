/** What is the same of a video for every seed; ids, times, counts and measures are drawn. */
export interface Piece {
  /** Username of the account that posted it. */
  by: string;
  caption: string;
  tags?: readonly string[];
  /** Usernames of the accounts mentioned. */
  mentions?: readonly string[];
  /** Default `en`. */
  lang?: string | null;
  /** Default: none. */
  altText?: string;
  isSensitive?: boolean;
  isPinned?: boolean;
  isEdited?: boolean;
  /** Default true. */
  hasHls?: boolean;
  /** Default true. */
  hasAudio?: boolean;
  containsAi?: boolean;
  containsAd?: boolean;
  /** Those of the permissions that are not given; by default all are. */
  withheld?: readonly ('can_comment' | 'can_download' | 'can_duet' | 'can_stitch' | 'can_embed')[];
}

/** The videos of every seeded server, the oldest first. */
export const repertoire: readonly Piece[] = [
  {
    by: 'ada',
    caption: 'Welcome to this server 👋',
    isPinned: true,
    tags: ['welcome'],
    altText: 'Ada waves at the camera.',
  },
  {
    by: 'ada',
    caption: 'A heron that waited for an hour. So did I.',
    tags: ['birds', 'heron'],
    altText: 'A grey heron by a pond.',
  },
  { by: 'mei_lin', caption: '釉薬の実験 その一', lang: 'ja', tags: ['陶芸', 'pottery'] },
  { by: 'noor', caption: 'شاي بعد منتصف الليل', lang: 'ar', tags: ['ليل'], withheld: ['can_duet', 'can_stitch'] },
  { by: 'rune@clips.example', caption: 'The 06:14 through snow', tags: ['trains'] },
  { by: 'ada', caption: 'Starlings, with @noor and @mei_lin', mentions: ['noor', 'mei_lin'], tags: ['birds'] },
  { by: 'noor', caption: '', lang: null },
  { by: 'ada', caption: 'An owl at its meal. Not for everyone.', isSensitive: true, tags: ['birds', 'owl'] },
  { by: 'mei_lin', caption: '猫と轆轤 🐈‍⬛', lang: 'ja', isPinned: true, altText: '黒い猫が轆轤の上で寝ている。' },
  { by: 'noor', caption: 'Street, rain, no sound', hasAudio: false },
  { by: 'rune@clips.example', caption: 'Fjord, wind, more wind', lang: 'nb', isEdited: true },
  { by: 'ada', caption: 'What a machine thinks a wren looks like', containsAi: true, tags: ['ai', 'birds'] },
  { by: 'mei_lin', caption: '一周一个短片 #7', lang: 'zh', withheld: ['can_download', 'can_embed'] },
  { by: 'noor', caption: 'Noodles of the month (they paid for the bowl)', containsAd: true, isEdited: true },
  { by: 'ada', caption: 'Only for the feed: no playlist of segments', hasHls: false },
  { by: 'mei_lin', caption: 'Thank you @ada!', mentions: ['ada'] },
  {
    by: 'noor',
    caption: 'Quiet please',
    withheld: ['can_comment', 'can_download', 'can_duet', 'can_stitch', 'can_embed'],
  },
  { by: 'rune@clips.example', caption: 'Hello @ada, we have herons too', mentions: ['ada'], tags: ['birds'] },
  { by: 'ada', caption: 'Tags: "quotes", <b>angles</b> & ampersands\nand a second line', lang: null },
  { by: 'mei_lin', caption: 'Kiln day', isEdited: true, tags: ['pottery'] },
  { by: 'noor', caption: 'Last bus home', tags: ['night'] },
  { by: 'ada', caption: 'A jay, very loud', tags: ['birds'], hasHls: false, hasAudio: false, lang: null },
  { by: 'rune@clips.example', caption: 'Night train', isSensitive: true },
  {
    by: 'ada',
    caption: `${'Kingfisher! '.repeat(12)}🐦`,
    tags: ['birds', 'kingfisher', 'slowmotion', 'river', 'blue'],
  },
];
