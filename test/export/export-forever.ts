// Runs as a separate process: exports one generation after another into a folder until it is killed.
import { exportAll } from '../../src/export/export-all.ts';
import { generatedSource } from './generated-source.ts';

const [dir = '', domains, instances, firstGeneration] = process.argv.slice(2);
for (let generation = Number(firstGeneration); ; generation++) {
  const now = () => Date.UTC(2026, 0, 1) + generation * 1000;
  const source = generatedSource(Number(domains), Number(instances), generation);
  await exportAll({ source, dir, now, toolVersion: '1.0.0' });
  process.stdout.write(`${generation}\n`);
}
