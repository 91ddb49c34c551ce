import { createFleet, type FleetOptions } from '../../src/reference/index.ts';

/** Child process: the fleet of a benchmark. Argument: its options as JSON. */
const options = JSON.parse(process.argv[2] ?? '{}') as FleetOptions;
const fleet = await createFleet({ log: false, ...options });
const { caFile, dnsServer } = fleet;
process.stdout.write(`${JSON.stringify({ caFile, dnsServer, hosts: fleet.hosts })}\n`);
process.stdin.resume().on('end', () => fleet.close());
