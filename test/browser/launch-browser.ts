import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { chromiumFolder } from './chromium-folder.ts';

/** Disables the browser's own traffic and resolves only local names; web security stays on. */
const args = [
  '--headless=shell',
  '--no-sandbox',
  '--no-first-run',
  '--no-proxy-server',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-quic',
  '--no-pings',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];

/** Starts a headless Chromium, which ends on `close`, on dispose or with this process. Works as root. */
export async function launchBrowser(): Promise<Browser> {
  const folder = await chromiumFolder();
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    args,
    chromiumSandbox: false,
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: join(folder, 'fonts/fonts.conf'),
    },
  });
}
