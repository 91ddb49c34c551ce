import { createFleet } from '../../src/reference/index.ts';

/** The fleet of the crawl benchmark, in a process of its own: half of the hosts are Loops, half are not. */
const hosts = Number(process.argv[2]);
const fleet = await createFleet({ hosts, log: false, mix: { 'loops-federation-off': 1, mastodon: 1 } });
const { caFile, dnsServer } = fleet;
process.stdout.write(`${JSON.stringify({ caFile, dnsServer, hosts: fleet.hosts })}\n`);
process.stdin.resume().on('end', () => fleet.close());
