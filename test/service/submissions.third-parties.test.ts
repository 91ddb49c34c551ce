import { expect, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { createLogger } from '../../src/logger.ts';
import { Service } from '../../src/service/service.ts';
import { runInline } from '../../src/service/tasks/tasks.ts';
import { parseDomains } from '../../src/settings/parse-domains.ts';
import { createTestNetwork } from '../create-test-network.ts';

const MINUTE = 60_000;
/** The names of one victim, each with its port: undefined for the port of the test network, 0 for any free port. */
const victims = [
  ['victim.example', undefined],
  ['www.victim.example', undefined],
  ['victim.example', 0],
  ['victim.example', 0],
] as const;
const logger = createLogger({ level: 'silent', stream: process.stderr });

test('submitted hosts that all redirect to one victim cause one visit to it an hour, each time under another of its names', async () => {
  const testNetwork = await createTestNetwork();
  /** The names of the victim that received a request in the current hour. */
  const visitedNames = new Set<string>();
  const names: string[] = [];
  const redirecting: string[] = [];
  // A redirect to another port is refused, so each redirecting host listens on the port of its target.
  for (const [index, [name, port]] of victims.entries()) {
    const victimName = await testNetwork.listen(
      name,
      name.startsWith('www.') ? '127.0.9.41' : '127.0.9.40',
      async () => {
        visitedNames.add(victimName);
        return { app: { software: 'other' } };
      },
      port,
    );
    names.push(victimName);
    const host = await testNetwork.listen(
      `redirects${index}.example`,
      `127.0.9.${50 + index}`,
      async (path, _request, response) => {
        if (path !== '/robots.txt') response.writeHead(301, { location: `https://${victimName}/` }).end();
        return null;
      },
      Number(victimName.split(':')[1]),
    );
    redirecting.push(host);
  }
  const settings = testNetwork.settings({});
  const time = { ms: 0 };
  const [now, clock] = [() => Date.now() + time.ms, () => performance.now() + time.ms];
  await using app = await createApp(settings, logger, { now, clock, background: runInline });
  await using service = new Service(app, { now, clock });
  const answers = await Promise.all(
    parseDomains(redirecting, settings).map((domain) => service.submissions.submit(domain)),
  );
  expect(answers.every(({ kind }) => kind === 'visited')).toBe(true);
  using reader = app.store.reader();
  const known = parseDomains(names, settings).filter((domain) => reader.domains.find(domain) !== null);
  expect(known.length).toBeGreaterThan(2);

  const visitedInTurn: string[] = [];
  for (let hour = 0; hour < 3; hour += 1) {
    for (let pass = 0; pass < 2; pass += 1) await service.crawl();
    expect([...visitedNames]).toHaveLength(1);
    visitedInTurn.push(...visitedNames);
    visitedNames.clear();
    time.ms += 70 * MINUTE;
  }
  expect(new Set(visitedInTurn).size).toBe(3);
});
