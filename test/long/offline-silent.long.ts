import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../commands/run-command.ts';

test.concurrent.for([1, 3])(
  'a crawl with default settings and %i silent name servers exits with code 1',
  async (count, { onTestFinished }) => {
    const folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const dnsServers: string[] = [];
    for (let i = 0; i < count; i += 1) {
      const silent = createSocket('udp4').bind(0, '127.0.0.1');
      await once(silent, 'listening');
      onTestFinished(() => {
        silent.close();
      });
      dnsServers.push(`127.0.0.1:${silent.address().port}`);
    }
    writeFileSync(
      join(folder, 'seeds.txt'),
      Array.from({ length: 200 }, (_, i) => `host.registered-${i}.org`).join('\n'),
    );
    const settings = { network: { dnsServers }, sources: [{ type: 'file', path: 'seeds.txt' }] };
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
    const { code, stdout } = await runCommand(['crawl', '--json', '--config', join(folder, 'settings.json')]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ end: 'offline', visited: 0, export: null });
  },
);
