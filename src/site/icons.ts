import { html } from 'ghtml';

/** Outlines on a grid of 24 by 24. */
const PATHS = {
  open: 'M4 21V4l9-1v18M4 21h16M13 6h5v15M10 12v1',
  approval: 'M12 7v5l3 2M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18z',
  closed: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  unknown: 'M9.5 9.5a2.5 2.5 0 1 1 3.5 2.300c-.7.3-1 .9-1 1.700M12 17v.01M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18z',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  behind: 'M12 19V6M6.5 11.5L12 6l5.5 5.5',
  cross: 'M7 7l10 10M17 7L7 17',
  leave: 'M9 5H5v14h14v-4M13 4h7v7M20 4l-9 9',
  down: 'M12 4l9 16H3zM12 10v4M12 17v.01',
  forYouFeed: 'M12 3l2 6.5 6.5 2.5-6.5 2.5L12 21l-2-6.5L3.5 12 10 9.5z',
  pushNotifications: 'M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 21h4',
  starterKits: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  atomFeeds: 'M5 12a7 7 0 0 1 7 7M5 5a14 14 0 0 1 14 14M6 18v.01',
  gifProvider: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4',
  video: 'M3 6h12v12H3zM15 10.5l6-3.5v10l-6-3.5',
  filter: 'M4 6h16M7 12h10M10 18h4',
  search: 'M11 18a7 7 0 1 1 0-14 7 7 0 0 1 0 14zM16 16l5 5',
  dice: 'M4 4h16v16H4zM8.5 8.5v.01M15.5 8.5v.01M8.5 15.5v.01M15.5 15.5v.01M12 12v.01',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon beside a text that says the same. */
export function icon(name: IconName): string {
  return html`<svg class="icon" aria-hidden="true"><use href="#icon-${name}"></use></svg>`;
}

/** The outlines that {@link icon} refers to. Every page contains them once. */
export const ICON_SPRITE = html`<svg class="sprite" aria-hidden="true">!${Object.entries(PATHS).map(
  ([name, path]) => html`<symbol id="icon-${name}" viewBox="0 0 24 24"><path d="${path}"/></symbol>`,
)}</svg>`;
