import { createInterface } from 'node:readline/promises';
import { createFleet, type FleetOptions } from '../../src/reference/index.ts';

/** The requests that a fleet received since the last report. Empty unless the fleet has the option `log`. */
export interface FleetReport {
  requests: number;
  /** Requests by host. */
  byHost: Record<string, number>;
  /** Hosts that two visits requested at the same time. */
  overlapping: string[];
}

/** Child process: the fleet of a benchmark. Argument: the options of the fleet as JSON. Prints a `FleetReport` for each line on stdin. */
const options = JSON.parse(process.argv[2] ?? '{}') as FleetOptions;
const fleet = await createFleet({ log: false, ...options });
const { caFile, dnsServer, hosts, requests } = fleet;
process.stdout.write(`${JSON.stringify({ caFile, dnsServer, hosts })}\n`);
for await (const _line of createInterface({ input: process.stdin })) {
  const report: FleetReport = {
    requests: requests.total,
    byHost: Object.fromEntries(hosts.map(({ domain }) => [domain, requests.count(domain)])),
    overlapping: [...requests.overlapping],
  };
  requests.clear();
  process.stdout.write(`${JSON.stringify(report)}\n`);
}
await fleet.close();
