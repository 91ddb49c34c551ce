import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { createSecureContext, rootCertificates } from 'node:tls';
import PQueue from 'p-queue';

/**
 * Lower bound for the cost of a crawl: bare node:https with one agent per host, one shared secure context and names already
 * resolved; responses are parsed as JSON and discarded. It sends the same requests as the product.
 */
const { caFile, hosts, concurrency, isRevisit } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as {
  caFile: string;
  hosts: { domain: string }[];
  concurrency: number;
  /** Whether robots.txt is known from an earlier pass. */
  isRevisit: boolean;
};
const secureContext = createSecureContext({ ca: [...rootCertificates, readFileSync(caFile, 'utf8')] });

function request(url: string, agent: Agent): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { accept: 'application/json' } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
      response.on('error', reject);
    }).on('error', reject);
  });
}

/** @returns whether the host runs Loops. */
async function visit(domain: string): Promise<boolean> {
  const agent = new Agent({
    keepAlive: true,
    secureContext,
    lookup: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  try {
    if (!isRevisit) await request(`https://${domain}/robots.txt`, agent);
    const config = await request(`https://${domain}/api/v1/config`, agent);
    if (config.status === 200) return JSON.parse(config.body).app.software === 'loops';
    const discovery = await request(`https://${domain}/.well-known/nodeinfo`, agent);
    const nodeInfo = await request(JSON.parse(discovery.body).links[0].href, agent);
    return JSON.parse(nodeInfo.body).software.name === 'loops';
  } finally {
    agent.destroy();
  }
}

const queue = new PQueue({ concurrency });
let loops = 0;
for (const { domain } of hosts) {
  queue.add(async () => {
    if (await visit(domain)) loops++;
  });
}
await queue.onIdle();
process.stdout.write(`${JSON.stringify({ loops })}\n`);
