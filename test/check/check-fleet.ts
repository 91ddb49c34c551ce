import { check } from '../../src/index.ts';
import type { Fleet } from '../../src/reference/index.ts';

export interface FleetCheckOptions {
  /** Checks under way at a time. */
  atOnce: number;
  /** What another server may take, where it is not what the product gives it. */
  timeouts?: { connectMs: number; responseMs: number; visitMs: number };
}

/** Most requests, and milliseconds, that a check may take. */
const MAX_REQUESTS = 40;
const MAX_MS = 60_000;

/** Checks hosts of a fleet as the library does; what is wrong with the checks, in words: nothing should be. */
export async function problemsOfChecks(
  fleet: Fleet,
  domains: readonly string[],
  { atOnce, timeouts }: FleetCheckOptions,
): Promise<string[]> {
  const options = {
    domains: { allowSuffixes: ['example'] },
    network: {
      allow: ['127.0.0.1/32'],
      dnsServers: [fleet.dnsServer],
      caFile: fleet.caFile,
      ...(timeouts === undefined ? {} : { timeouts }),
    },
  };
  const problems: string[] = [];
  const receivedByAll = () => domains.reduce((sum, domain) => sum + fleet.requests.count(domain), 0);
  const before = receivedByAll();
  let counted = 0;
  const waiting = [...domains];
  const lane = async () => {
    for (let domain = waiting.shift(); domain !== undefined; domain = waiting.shift()) {
      const tell = (problem: string) => problems.push(`${domain}: ${problem}`);
      const startedAt = performance.now();
      try {
        const { requests, findings, counts } = await check(domain, options);
        counted += requests;
        if (requests > MAX_REQUESTS) tell(`${requests} requests counted`);
        const broken = findings.filter(({ title }) => title.endsWith('can be judged'));
        for (const { detail } of broken) tell(`a rule broke: ${detail}`);
        if (counts.fail + counts.warn + counts.info + counts.pass !== findings.length) tell('the counts are wrong');
      } catch (error) {
        tell(`the check broke: ${error instanceof Error ? error.stack : error}`);
      }
      const tookMs = performance.now() - startedAt;
      if (tookMs > MAX_MS) tell(`took ${Math.round(tookMs)} ms`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  // Hosts point at one another, so that none can be held to account alone. What ends before it is read is counted by us alone.
  const received = receivedByAll() - before;
  if (received > counted) problems.push(`${received} requests were received, and ${counted} counted`);
  if (received === 0) problems.push('nothing was received');
  return problems;
}
