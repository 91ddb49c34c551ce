// Runs as a separate process: exports one generation into a folder and prints `{}`, or its ExportError as JSON.
import { exportAll } from '../../src/export/export-all.ts';
import { ExportError } from '../../src/export/export-error.ts';
import { generatedSource } from './generated-source.ts';

const [dir = '', domains, generation] = process.argv.slice(2);
const now = () => Date.UTC(2026, 0, 1);
try {
  await exportAll({ source: generatedSource(Number(domains), 30, Number(generation)), dir, now, toolVersion: '1.0.0' });
  process.stdout.write('{}');
} catch (error) {
  if (!(error instanceof ExportError)) throw error;
  const { name, kind, code, file, message } = error;
  process.stdout.write(JSON.stringify({ name, kind, code, file, message }));
}
