import { parseArgs } from 'node:util';
import { SCENARIOS, type Scenario, simulateTruth } from '../simulation/simulate-truth.ts';

/** `npm run bench -- truth [--seed N] [--instances N] [--days N] [--accidents SHARE] [--failing SHARE] [--scenario NAME]` */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    instances: { type: 'string', default: '400' },
    days: { type: 'string', default: '60' },
    accidents: { type: 'string', default: '0.01' },
    failing: { type: 'string', default: '0' },
    scenario: { type: 'string', multiple: true, default: Object.keys(SCENARIOS) },
  },
});
const [seed, instances, days, accidents, failing] = (
  ['seed', 'instances', 'days', 'accidents', 'failing'] as const
).map((name) => Number(values[name])) as [number, number, number, number, number];
const printLine = (line: string) => process.stdout.write(`${line}\n`);

printLine(
  `${instances} instances, ${days} days, seed ${seed}; ${100 * accidents} % accidents, ${100 * failing} % failing for good\n`,
);
printLine(
  'scenario          down while up  up while down  noticed p50/p90/p99 h  recovered p50/p90/p99 h  uptime bias/mean/p95  visits/day  blamed',
);
for (const scenario of values.scenario as Scenario[]) {
  const figures = await simulateTruth({ scenario, seed, instances, days, accidents, failing });
  const { shownDownWhileUp, shownUpWhileDown, noticed, recovered, uptime, visitsPerDay, mostBlamed } = figures;
  const hours = ({ p50, p90, p99 }: typeof noticed) => [p50, p90, p99].map((value) => value.toFixed(1)).join(' / ');
  const points = [uptime.bias, uptime.meanError, uptime.p95Error].map((value) => value.toFixed(2)).join(' / ');
  printLine(
    [
      scenario.padEnd(16),
      `${(100 * shownDownWhileUp).toFixed(2)} %`.padStart(15),
      `${(100 * shownUpWhileDown).toFixed(2)} %`.padStart(15),
      hours(noticed).padStart(23),
      hours(recovered).padStart(25),
      points.padStart(22),
      visitsPerDay.toFixed(2).padStart(12),
      String(mostBlamed).padStart(8),
    ].join(''),
  );
}
