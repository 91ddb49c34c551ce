/** The kinds of source that read whom one server knows. */
export type PeersKind = 'mastodon-peers' | 'lemmy-federated' | 'misskey-instances' | 'peertube-follows';

/** By the name that software gives itself in NodeInfo. */
const KINDS: Readonly<Record<string, PeersKind>> = {
  mastodon: 'mastodon-peers',
  hometown: 'mastodon-peers',
  pleroma: 'mastodon-peers',
  akkoma: 'mastodon-peers',
  gotosocial: 'mastodon-peers',
  pixelfed: 'mastodon-peers',
  lemmy: 'lemmy-federated',
  misskey: 'misskey-instances',
  sharkey: 'misskey-instances',
  firefish: 'misskey-instances',
  peertube: 'peertube-follows',
};

/** How a server that runs this is asked for its peers; null when it publishes none, or it is not known how. */
export function peersKindOf(software: string | null): PeersKind | null {
  return software !== null && Object.hasOwn(KINDS, software) ? (KINDS[software] ?? null) : null;
}
