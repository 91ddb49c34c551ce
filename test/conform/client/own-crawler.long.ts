import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import type { ClientRun } from '../../../src/conform/client/call.ts';
import { judgeClient } from '../../../src/conform/client/judge-client.ts';
import { type Drive, playScenario } from '../../../src/conform/client/play.ts';
import { SCENARIOS } from '../../../src/conform/client/scenario.ts';
import { createLogger } from '../../../src/logger.ts';
import { parseDomains } from '../../../src/settings/parse-domains.ts';
import { createTestNetwork } from '../../create-test-network.ts';

const name = 'clips.example';
const logger = createLogger({ level: 'silent', stream: process.stderr });

it('our own crawler passes every client clause that a crawler can show', async () => {
  const network = await createTestNetwork();
  network.addName(name, '127.0.0.1');
  const drive: Drive = async ({ scenario, domain, caFile }) => {
    const defaults = network.settings({});
    const database = join(network.folder, `${scenario.name}.sqlite`);
    await using app = await createApp({ ...defaults, database, network: { ...defaults.network, caFile } }, logger);
    const verdicts: string[] = [];
    const only = parseDomains([domain], app.settings);
    const onCompleted = ({ verdict }: { verdict: string }) => void verdicts.push(verdict);
    await app.crawl({ only, signal: new AbortController().signal, onCompleted });
    return verdicts.at(-1) === 'loops';
  };
  // A few at a time: on a busy machine, too many visits at once could exceed their time limits.
  const runs: ClientRun[] = [];
  for (let first = 0; first < SCENARIOS.length; first += 6) {
    const some = SCENARIOS.slice(first, first + 6);
    runs.push(...(await Promise.all(some.map((scenario) => playScenario(scenario, drive, { tls: true, name })))));
  }
  const results = judgeClient(runs);
  const idsWith = (wanted: string) =>
    results.filter(({ verdict }) => verdict === wanted).map(({ clause }) => clause.id);
  expect(results.flatMap(({ broken }) => broken)).toEqual([]);
  expect(idsWith('pass')).toEqual([
    'client.config.accept',
    'client.identify.config-first',
    'client.identify.exact',
    'client.identify.config-decides',
    'client.identify.schema-2.0',
    'client.identify.href',
    'client.identify.missing-fields',
    'client.retry-after',
    'client.slow',
  ]);
});
