import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from '../../src/app/app.ts';
import type { Identifier } from '../../src/identify/identifier.ts';
import { createVisitBuilder } from '../../src/identify/visit-builder.ts';
import { createLogger } from '../../src/logger.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { loopsVisit } from '../store/sample-visit.ts';

/**
 * `npm run bench -- shared-address [hosts] [visit ms]`: crawls hosts that each have their own address, first alone, then together
 * with as many hosts that share one address; compares the times until all hosts of the first kind were visited. `perAddress` is 4,
 * with 64 visits at a time. Visits are simulated; queue, pipeline and store are the product's.
 */
const hosts = Number(process.argv[2] ?? 5_000);
const visitMs = Number(process.argv[3] ?? 50);
const concurrency = 64;
const perAddress = 4;

/** @returns seconds until the last host with its own address was visited, and until all hosts were. */
async function run(sharedHosts: number): Promise<{ ownSeconds: number; allSeconds: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-bench-'));
  let lastOwnEndedAt = 0;
  const identifier: Identifier = {
    async resolve(domain) {
      const number = Number(/\d+/.exec(domain)?.[0]);
      const address = domain.startsWith('own') ? `198.18.${number >> 8}.${number & 255}` : '192.0.2.1';
      return {
        builder: createVisitBuilder(domain, Date.now, () => performance.now()),
        addresses: [{ address, family: 4 }],
      };
    },
    async identify({ builder: { domain } }) {
      await delay(visitMs);
      if (domain.startsWith('own')) lastOwnEndedAt = performance.now();
      return loopsVisit(domain, Date.now());
    },
    cancelAll: () => undefined,
  };
  const settings = loadSettings({
    file: null,
    env: {},
    flags: {
      database: join(folder, 'bench.sqlite'),
      // No DNS query leaves the machine.
      network: { dnsServers: ['127.0.0.1:1'] },
      queue: { concurrency, visitsPerSecond: 0, perAddress, perRegistrableDomain: 0 },
    },
  });
  await using app = await createApp(settings, createLogger({ level: 'error', stream: process.stderr }), { identifier });
  // Interleaved, as in a real list.
  for (let i = 0; i < hosts; i += 1) {
    app.store.domains.enter([storedDomain(`own${i}.site${i}.org`)], i);
    if (i < sharedHosts) app.store.domains.enter([storedDomain(`shared${i}.site${i}.org`)], i);
  }
  const start = performance.now();
  await app.crawl({ signal: new AbortController().signal, onCompleted: () => undefined });
  const result = { ownSeconds: (lastOwnEndedAt - start) / 1_000, allSeconds: (performance.now() - start) / 1_000 };
  rmSync(folder, { recursive: true });
  return result;
}

const alone = await run(0);
const together = await run(hosts);
process.stdout.write(
  [
    `${hosts} hosts with addresses of their own, ${visitMs} ms a visit, ${concurrency} at a time, Node ${process.versions.node}`,
    `alone: ${alone.ownSeconds.toFixed(1)} s; with ${hosts} hosts behind one address: ${together.ownSeconds.toFixed(1)} s, ratio ${(together.ownSeconds / alone.ownSeconds).toFixed(2)}`,
    `hosts behind one address, ${perAddress} at a time: ${together.allSeconds.toFixed(1)} s; minimum ${((hosts * visitMs) / 1_000 / perAddress).toFixed(1)} s`,
    '',
  ].join('\n'),
);
