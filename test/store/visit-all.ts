/**
 * Child process: leases due domains and records visits until none is due. Arguments: the database, the batch size,
 * milliseconds between lease and record. A batch size of 0 leases ten domains and holds the leases.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { openStore } from '../../src/store/open-store.ts';
import { retryWhileLocked } from '../../src/store/sqlite/retry-while-locked.ts';
import { loopsVisit, recordedVisit } from './sample-visit.ts';

const [, , path = '', batch = '16', pauseMs = '1'] = process.argv;
await using store = await openStore({ path });
process.stdout.write(`reclaimed ${store.reclaimed}\n`);
if (batch === '0') {
  store.lease(10, Date.now());
  process.stdout.write('leased\n');
  await delay(60_000);
}
for (;;) {
  const at = Date.now();
  const leased = await retryWhileLocked(() => store.lease(Number(batch), at), { forMs: 10_000 });
  if (leased.length === 0) {
    const next = store.nextRetryAfterLostLease(at);
    if (next === null) break;
    await delay(next - at);
    continue;
  }
  process.stdout.write('leased\n');
  await delay(Number(pauseMs));
  const visits = leased.map((lease) => {
    const documents = { config: new TextEncoder().encode(`{"of":"${lease.record.domain}"}`) };
    return recordedVisit(lease, at, loopsVisit(lease.record.domain, at, { documents }));
  });
  await retryWhileLocked(() => store.record(visits), { forMs: 10_000 });
}
