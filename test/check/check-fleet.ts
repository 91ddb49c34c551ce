import { check, type Report } from '../../src/index.ts';
import type { Fleet } from '../../src/reference/index.ts';

export interface FleetCheckOptions {
  /** Number of concurrent checks. */
  concurrency: number;
  /** Overrides the default time-outs. */
  timeouts?: { connectMs: number; responseMs: number; visitMs: number };
  onReport?: (domain: string, report: Report) => void;
}

const MAX_REQUESTS = 40;

/** Checks hosts of a fleet through the library. Returns a message for each violated limit or failed check; none is expected. */
export async function problemsOfChecks(
  fleet: Fleet,
  domains: readonly string[],
  { concurrency, timeouts, onReport }: FleetCheckOptions,
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
  const countReceived = () => domains.reduce((sum, domain) => sum + fleet.requests.count(domain), 0);
  const receivedBefore = countReceived();
  let countedByChecks = 0;
  const pending = [...domains];
  const worker = async () => {
    for (let domain = pending.shift(); domain !== undefined; domain = pending.shift()) {
      const addProblem = (problem: string) => problems.push(`${domain}: ${problem}`);
      try {
        const report = await check(domain, options);
        const { requests, findings, counts } = report;
        onReport?.(domain, report);
        countedByChecks += requests;
        if (requests > MAX_REQUESTS) addProblem(`${requests} requests counted`);
        // `judge` gives this title to the finding of a rule that threw.
        const ofThrowingRules = findings.filter(({ id, title }) => title === `The rule ${id} works`);
        for (const { detail } of ofThrowingRules) addProblem(`a rule threw: ${detail}`);
        if (counts.fail + counts.warn + counts.info + counts.pass !== findings.length) addProblem('wrong counts');
      } catch (error) {
        addProblem(`the check threw: ${error instanceof Error ? error.stack : error}`);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  // A check may follow a redirect to another host of the fleet, so only the sums can be compared. A request that ends before the
  // server reads it is counted only by the check.
  const received = countReceived() - receivedBefore;
  if (received > countedByChecks) problems.push(`${received} requests received, but only ${countedByChecks} counted`);
  if (received === 0) problems.push('no request received');
  return problems;
}
