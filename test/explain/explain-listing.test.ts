import { expect, test } from 'vitest';
import { noindexWords } from '../../src/explain/explain-listing.ts';

test('noindexWords describes each known noindex signal of a host', () => {
  expect(noindexWords(['config-header', 'discovery-error-header', 'nodeinfo', 'robots'])).toBe(
    'Last found: the header sent with its configuration; the header sent with the NodeInfo link (an error response); the metadata of NodeInfo; robots.txt names Loopscout. ',
  );
  expect(noindexWords(['earlier'])).toBe('');
  expect(noindexWords()).toBe('');
});
