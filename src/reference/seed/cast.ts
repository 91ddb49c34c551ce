/** What is the same of an account for every seed; ids, times, counts and passwords are drawn. */
export interface Part {
  username: string;
  name: string;
  bio: string;
  /** Links whose display form is `url`. */
  links: readonly { url: string; link: string; is_verified: boolean }[];
  isAdmin?: boolean;
  approvesFollowers?: boolean;
  hasPlaylists?: boolean;
  /** Base URL of the server it lives on; without it, it lives here. */
  remoteOrigin?: string;
}

/**
 * The accounts of every seeded server. Between them they hold what a client has to cope with: an administrator, one who
 * approves followers by hand, no posts and no bio, other scripts and emoji, several links, verified and not, or none, and
 * one account of another server.
 */
export const cast: readonly Part[] = [
  {
    username: 'ada',
    name: 'Ada Okafor',
    bio: 'I keep this server running and film birds. Questions: ask me anything!',
    links: [
      { url: 'ada.example', link: 'https://ada.example/', is_verified: true },
      {
        url: 'birds.example/a-field-guide-to-th...',
        link: 'https://birds.example/a-field-guide-to-the-birds?page=2',
        is_verified: true,
      },
      { url: 'tips.example/ada', link: 'https://tips.example/ada', is_verified: false },
    ],
    isAdmin: true,
    hasPlaylists: true,
  },
  {
    username: 'noor',
    name: 'Noor نور 🌙',
    bio: 'أصوّر المدينة ليلاً 🌃\nNight walks & street food 🍜 — "slow" <video> only',
    links: [{ url: 'noor.example', link: 'https://noor.example/', is_verified: false }],
    approvesFollowers: true,
  },
  {
    username: 'mei_lin',
    name: '林美',
    bio: '陶芸と猫 🐈‍⬛ 每周一个短片。👩🏽‍🎨',
    links: [],
    hasPlaylists: true,
  },
  { username: 'sam.2', name: 'sam', bio: '', links: [] },
  {
    username: 'rune@clips.example',
    name: 'Rune Ø',
    bio: 'From another server: fjords, trains and weather.',
    links: [{ url: 'rune.example', link: 'https://rune.example/', is_verified: true }],
    remoteOrigin: 'https://clips.example',
  },
];
