// Runs as a separate process: exports one generation after another into a folder until it is killed.
import { exportGeneration } from './export-generation.ts';

const [dir = '', firstGeneration] = process.argv.slice(2);
for (let generation = Number(firstGeneration); ; generation++) {
  await exportGeneration(dir, generation);
  process.stdout.write(`${generation}\n`);
}
