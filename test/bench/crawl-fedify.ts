import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import PQueue from 'p-queue';

/**
 * Child process: runs Fedify's `getNodeInfo` for every host of a fleet. Arguments: the input file of crawl-floor.ts, the URL of Fedify's module.
 * Fedify refuses loopback addresses, so its address check gets a public address here, while its sockets connect to 127.0.0.1.
 */
const [, , file = '', module = ''] = process.argv;
const { hosts, concurrency } = JSON.parse(readFileSync(file, 'utf8')) as {
  hosts: { domain: string }[];
  concurrency: number;
};

Object.assign(dns, {
  lookup: (_name: string, options: dns.LookupOptions, done: (...result: unknown[]) => void) =>
    options.all === true ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
});
Object.assign(dns.promises, { lookup: async () => [{ address: '1.1.1.1', family: 4 }] });
syncBuiltinESMExports();

const { getNodeInfo } = (await import(module)) as {
  getNodeInfo: (url: string) => Promise<{ software: { name: string } } | undefined>;
};
const queue = new PQueue({ concurrency });
let read = 0;
for (const { domain } of hosts) {
  queue.add(async () => {
    if ((await getNodeInfo(`https://${domain}/`)) !== undefined) read++;
  });
}
await queue.onIdle();
process.stdout.write(JSON.stringify({ read }));
// Idle keep-alive sockets would keep the process running.
process.exit();
