import { expect, test } from 'vitest';
import { fillStore } from '../api/fill-store.ts';
import { fuzzApi } from '../api/fuzz-api.ts';
import { openApi } from '../api/open-api.ts';

const RUNS = 4_000;

test('4,000 requests generated from the OpenAPI document: none gets a 500, and every response matches the document', async () => {
  const { api } = await openApi((store) => fillStore(store, 300));
  const tally = await fuzzApi(api, { runs: RUNS });
  process.stdout.write(`${JSON.stringify(Object.fromEntries(tally))}\n`);
  // The paths of exported files answer 404, because nothing was exported.
  expect(tally.get(200)).toBeGreaterThan(RUNS / 5);
  for (const status of [304, 400, 404]) expect(tally.get(status)).toBeGreaterThan(RUNS / 100);
});
