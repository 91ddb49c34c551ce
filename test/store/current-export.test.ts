import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { sampleDomains } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

const start = Date.UTC(2026, 0, 1);
const [first, second, third] = sampleDomains(3);
if (first === undefined || second === undefined || third === undefined) throw new Error('three domains are needed');

test('an export is current until a transaction of any connection changes a row', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  await using other = await openStore({ path });
  const isCurrent = () => store.crawler.currentExport() === 'report';
  expect(isCurrent()).toBe(false);
  store.domains.enter([first], start);
  store.crawler.recordExport(store.crawler.revision(), 'report');
  expect(isCurrent()).toBe(true);
  store.inOneTransaction(() => store.optOuts.unpublishedPurge());
  expect(isCurrent()).toBe(true);
  other.domains.enter([second], start);
  expect(isCurrent()).toBe(false);
});

test('an export during which something was written is not current', async () => {
  await using store = await openStore({ path: scratchPath() });
  const revision = store.crawler.revision();
  store.domains.enter([third], start);
  store.crawler.recordExport(revision, 'report');
  expect(store.crawler.currentExport()).toBeNull();
});
