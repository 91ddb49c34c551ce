import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Table } from 'console-table-printer';
import { createApp } from '../../src/app/app.ts';
import { createLogger } from '../../src/logger.ts';
import type { Visit } from '../../src/model/visit.ts';
import { startFleetDns } from '../../src/reference/fleet/fleet-dns.ts';
import { createSecureContexts } from '../../src/reference/tls/secure-contexts.ts';
import { parseDomains } from '../../src/settings/parse-domains.ts';
import { loadSettings } from '../../src/settings/settings.ts';

/**
 * `npm run bench -- corpus FOLDER`: serves every JSON document of a folder from hosts on 127.0.0.1 at each of the three places
 * where a visit reads one (config, NodeInfo discovery, NodeInfo 2.0), crawls those hosts, and prints the results. Exits with 1
 * unless exactly the configs that name `loops` were identified as Loops, and software and version of each NodeInfo were read correctly.
 */
const folder = process.argv[2];
if (folder === undefined) throw new Error('name the folder of documents: npm run bench -- corpus FOLDER');
const documents = readdirSync(folder).filter((file) => file.endsWith('.json'));
const places = ['config', 'discovery', 'nodeinfo'] as const;

const contexts = createSecureContexts(500);
const server = createServer({ SNICallback: (name, done) => done(null, contexts.contextFor(name, undefined)) });
server.on('request', (request, response) => {
  const [label = ''] = (request.headers.host ?? '').split('.');
  const [, file, place] = /^(.+)-(config|discovery|nodeinfo)$/.exec(label) ?? [];
  const body = file === undefined ? null : readFileSync(join(folder, `${file}.json`));
  const links = [
    { rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: `https://${request.headers.host}/nodeinfo/2.0` },
  ];
  const answers: Record<string, Uint8Array | string | null> = {
    '/api/v1/config': place === 'config' ? body : null,
    '/.well-known/nodeinfo': place === 'discovery' ? body : place === 'nodeinfo' ? JSON.stringify({ links }) : null,
    '/nodeinfo/2.0': place === 'nodeinfo' ? body : null,
  };
  const answer = answers[request.url ?? ''] ?? null;
  response.statusCode = answer === null ? 404 : 200;
  response.end(answer);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
// Undefined: the name has the address 127.0.0.1; null: it does not exist.
const dns = await startFleetDns((name) => (name.endsWith('.example') ? undefined : null), 0);

const home = mkdtempSync(join(tmpdir(), 'loopscout-corpus-'));
writeFileSync(join(home, 'ca.pem'), contexts.authority);
const settings = loadSettings({
  cwd: home,
  env: {},
  flags: {
    database: 'corpus.sqlite',
    domains: { allowSuffixes: ['example'] },
    network: { allow: ['127.0.0.1/32'], dnsServers: [dns.address], caFile: 'ca.pem' },
    queue: { visitsPerSecond: 0, perAddress: 0 },
  },
});
const visits = new Map<string, Visit>();
{
  await using app = await createApp(settings, createLogger({ level: 'warn', stream: process.stderr }));
  const names = documents.flatMap((file) => places.map((place) => `${file.slice(0, -5)}-${place}.example:${port}`));
  const only = parseDomains(names, settings);
  await app.crawl({
    only,
    signal: new AbortController().signal,
    onCompleted: (visit) => visits.set(visit.domain, visit),
  });
}
await Promise.all([dns.close(), new Promise((resolve) => server.close(resolve).closeAllConnections())]);
rmSync(home, { recursive: true });

const table = new Table({ shouldDisableColors: true });
const faults: string[] = [];
for (const file of documents) {
  const text = readFileSync(join(folder, file), 'utf8');
  const document = JSON.parse(text);
  const row: Record<string, string> = { document: file };
  for (const place of places) {
    const visit = visits.get(`${file.slice(0, -5)}-${place}.example:${port}`);
    if (visit === undefined) throw new Error(`${file} was not visited at ${place}`);
    row[place] =
      visit.software === null
        ? `${visit.verdict}: ${visit.reason}`
        : `${visit.verdict}: ${visit.software} ${visit.version}`;
    const isLoops = document.app?.software === 'loops' && place === 'config';
    if ((visit.verdict === 'loops') !== isLoops) faults.push(`${file} as ${place}: ${visit.verdict}`);
    const { name, version } = document.software ?? {};
    if (place === 'nodeinfo' && typeof name === 'string' && (visit.software !== name || visit.version !== version)) {
      faults.push(`${file} names ${name} ${version}, read as ${visit.software} ${visit.version}`);
    }
  }
  table.addRow(row);
}
process.stdout.write(`${table.render()}\n${documents.length} documents, ${faults.length} faults\n${faults.join('\n')}`);
process.exitCode = faults.length === 0 ? 0 : 1;
