import { readdirSync } from 'node:fs';

/** `npm run bench -- NAME [ARGUMENT...]`: runs one benchmark of this folder. */

/** Modules that benchmarks use; those named crawl-* are such modules too. */
const SUPPORT_FILES = new Set([
  ...['run', 'measure', 'time-process', 'fill-history', 'reference-server', 'api-server', 'start-measured-server'],
  ...['import-once', 'cost-tables', 'print-figures'],
]);
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3))
  .filter((name) => !SUPPORT_FILES.has(name) && !/^crawl-/.test(name));
const [name = ''] = process.argv.splice(2, 1);
if (names.includes(name)) {
  await import(`./${name}.ts`);
} else {
  process.stderr.write(`unknown benchmark "${name}"; there are: ${names.join(', ')}\n`);
  process.exitCode = 2;
}
