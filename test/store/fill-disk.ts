/** Child process: enters domains until the store throws; prints the error as JSON. Argument: the database. */
import { openStore } from '../../src/store/open-store.ts';
import { StoreError } from '../../src/store/sqlite/store-error.ts';
import { sampleDomains } from './sample-visit.ts';

const path = process.argv[2] ?? '';
const print = (result: object) => process.stdout.write(JSON.stringify(result));
let entered = 0;
try {
  await using store = await openStore({ path });
  while (entered < 200_000) entered += store.domains.enter(sampleDomains(1_000, entered), 1);
} catch (error) {
  if (!(error instanceof StoreError)) throw error;
  print({ entered, code: error.code, kind: error.kind, message: error.message });
}
