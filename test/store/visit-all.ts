/**
 * Child process: crawls a database until nothing is due. Arguments: the database, the batch size, milliseconds between pick and record. A
 * batch size of 0 picks ten domains and holds them.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { openStore } from '../../src/store/open-store.ts';
import { loopsVisit, recordedVisit } from './sample-visit.ts';

const [, , path = '', batch = '16', pauseMs = '1'] = process.argv;
await using store = await openStore({ path });
const crawling = store.startCrawling({ command: 'test', pid: process.pid, since: Date.now() });
if ('heldBy' in crawling) throw new Error('another process is crawling');
process.stdout.write(`cut off ${crawling.cutOff}\n`);
if (batch === '0') {
  store.due.pick(10, Date.now());
  process.stdout.write('picked\n');
  await delay(60_000);
}
for (;;) {
  // Domains that wait after crashes are due then, too.
  const at = Date.now() + 60_000;
  const picked = store.due.pick(Number(batch), at);
  if (picked.length === 0) break;
  process.stdout.write('picked\n');
  await delay(Number(pauseMs));
  const visits = picked.map((one) => {
    const documents = { config: new TextEncoder().encode(`{"of":"${one.record.domain}"}`) };
    return recordedVisit(one, at, loopsVisit(one.record.domain, at, { documents }));
  });
  store.visits.record(visits);
}
crawling[Symbol.dispose]();
