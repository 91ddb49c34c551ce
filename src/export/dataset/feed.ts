import { feedText } from '../feed-text.ts';
import { newestEvents } from '../history/feed-events.ts';
import type { Dataset } from './dataset.ts';

const MOST_ENTRIES = 100;

/** `feed.atom`: what instances came, went and were upgraded. */
export const feed: Dataset = {
  name: 'feed.atom',
  schema: null,
  chunks: (source, _tallies, { contact }) => feedText(newestEvents(source, MOST_ENTRIES), contact),
};
