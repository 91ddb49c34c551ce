import { runFastDay } from '../process/run-fast-day.ts';

/** `npm run bench -- day`: memory of the service for each hour of a day, after half a day of warm-up. */
const { hours } = await runFastDay();
for (const [hour, { medianMB, visits }] of hours.entries())
  process.stdout.write(`hour ${String(hour + 1).padStart(2)}: ${medianMB.toFixed(0)} MB, ${visits} visits\n`);
const total = hours.reduce((sum, { visits }) => sum + visits, 0);
const [first = 0, last = 0] = [hours[0]?.medianMB, hours.at(-1)?.medianMB];
process.stdout.write(`${total} visits; memory of the last hour / the first: ${(last / first).toFixed(3)}\n`);
