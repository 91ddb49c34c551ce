/** Child process: begins a run of a source, enters domains, and never ends the run. Argument: the database. */
import { setTimeout as delay } from 'node:timers/promises';
import { openStore } from '../../src/store/open-store.ts';
import { beginRun, candidates, noLimits, sampleSource } from './sample-source.ts';
import { sampleDomains } from './sample-visit.ts';

const [, , path = ''] = process.argv;
await using store = await openStore({ path });
const run = beginRun(store, sampleSource('slow'), 1);
store.sources.enterFrom(run, candidates(sampleDomains(3)), 1, noLimits);
process.stdout.write('entered\n');
await delay(60_000);
