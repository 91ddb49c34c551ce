import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endlessAnswer, startListSite } from '../process/list-site.ts';
import type { Usage } from './measure.ts';

/**
 * `npm run bench -- import [CANDIDATES]`, by default 1,000,000: time and memory of reading a list of about 60 bytes per candidate over HTTPS,
 * twice, the first time into an empty database. Each time a process of its own reads it, without visiting any domain.
 */
const candidates = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(join(tmpdir(), 'loopscout-bench-'));
const benchFile = (name: string) => join(import.meta.dirname, name);

function* pieces(): Iterable<string> {
  yield '{"data":[{}';
  for (let index = 0; index < candidates; index++) {
    // The factor scatters the names, so that they are not in the order of an index.
    const domain = `h${index}-${Math.imul(index, 2_654_435_761) >>> 0}.example`;
    yield `,${JSON.stringify({ domain, software: 'mastodon' })}`;
  }
  yield ']}';
}

await using site = await startListSite();
site.answers.set('lists.example', endlessAnswer(pieces));
const source = { type: 'json', url: site.urlOf('lists.example'), hosts: 'data.*.domain', software: 'software' };
const settings = {
  database: 'import.sqlite',
  domains: { allowSuffixes: ['example'] },
  network: { allow: ['127.0.0.1/32'], dnsServers: [site.dnsServer], caFile: site.caFile },
  sources: [{ ...source, maxBytes: 200_000_000, most: 10_000_000, everyHours: 1 }],
};
const settingsFile = join(folder, 'settings.json');
writeFileSync(settingsFile, JSON.stringify(settings));
const usageFile = join(folder, 'usage.json');
for (const name of ['into an empty database', 'again']) {
  const imports = ['../../src/keep-compiled.mjs', 'measure.ts'].flatMap((file) => ['--import', benchFile(file)]);
  // The size is that of the npm scripts.
  const args = ['--max-semi-space-size=16', ...imports, benchFile('import-once.ts'), settingsFile];
  const env = { ...process.env, BENCH_USAGE_FILE: usageFile };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  const { wallMs, cpuMs, peakRssMB } = JSON.parse(readFileSync(usageFile, 'utf8')) as Usage;
  const megabytes = (statSync(join(folder, 'import.sqlite')).size / 1e6).toFixed(0);
  process.stdout.write(
    `${name}: ${(wallMs / 1_000).toFixed(1)} s, CPU ${(cpuMs / 1_000).toFixed(1)} s, peak memory ${peakRssMB.toFixed(0)} MB, database ${megabytes} MB\n  ${stdout}\n`,
  );
}
rmSync(folder, { recursive: true });
