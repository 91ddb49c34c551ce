import { runFastDay } from '../process/run-fast-day.ts';

/** `npm run bench -- day`: memory of the service every three hours of a day, after half a day of warm-up. */
const steps = await runFastDay({ hosts: 3_000 });
for (const [index, { heapMB, residentMB, visits }] of steps.entries())
  process.stdout.write(
    `hour ${3 * (index + 1)}: heap ${heapMB.toFixed(1)} MB, resident ${residentMB.toFixed(0)} MB, ${visits} visits\n`,
  );
