import { expect, test } from 'vitest';
import { createFleet, type FleetHost } from '../../src/reference/index.ts';
import { runCommand } from '../commands/run-command.ts';
import { createFleetHome } from './fleet-home.ts';
import { startService } from './start-service.ts';

test('a running service shows the report on a host until the host is forgotten', async () => {
  await using fleet = await createFleet({ hosts: 2, log: false, mix: { loops: 1 } });
  using home = createFleetHome(fleet, { serve: { check: true } });
  await using service = await startService(['--config', home.settingsFile]);
  const [{ domain: leaving }, { domain: staying }] = fleet.hosts as readonly [FleetHost, FleetHost];
  const page = async (domain: string) =>
    await (await fetch(new URL(`/check?domain=${domain}`, service.endpoints.url))).text();
  // Visitors' checks connect to public addresses only, so the report says why this host is not one.
  const REPORTED = 'not public';
  for (const domain of [leaving, staying])
    await expect.poll(() => page(domain), { timeout: 60_000, interval: 500 }).toContain(REPORTED);
  expect((await runCommand(['forget', leaving, '--config', home.settingsFile])).code).toBe(0);
  expect(await page(leaving)).not.toContain(REPORTED);
  expect(await page(staying)).toContain(REPORTED);
  expect((await service.end('SIGTERM')).code).toBe(0);
});
