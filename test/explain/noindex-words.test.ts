import { expect, test } from 'vitest';
import { noindexWords } from '../../src/explain/explain-listing.ts';

test('tells in which ways a host asks not to be published, as far as that is known', () => {
  expect(noindexWords(['config-header', 'discovery-error-header', 'nodeinfo', 'robots'])).toBe(
    'Last found: the header with its configuration; the header with the NodeInfo link, which is no document; the metadata of NodeInfo; robots.txt names Loopscout. ',
  );
  expect(noindexWords(['earlier'])).toBe('');
  expect(noindexWords()).toBe('');
});
