import { abortOnSignal } from '../app.ts';
import type { Run } from './command.ts';
import { unlessAborted } from './crawl-report.ts';
import { openApp } from './open-app.ts';

/** `export`: writes the datasets from what is in the database. */
export const run: Run = async (invocation) => {
  const { options, terminal } = invocation;
  using interrupt = abortOnSignal();
  await using app = await openApp(invocation);
  const report = await unlessAborted(interrupt.signal, () => app.export(interrupt.signal));
  if (report === null) {
    terminal.stderr.write('Stopped: the exported files are as they were.\n');
    return 1;
  }
  terminal.stdout.write(options.json === true ? `${JSON.stringify(report, null, 2)}\n` : `${exportLine(report)}\n`);
  return 0;
};

interface ExportSummary {
  dir: string;
  counts: { instances: number; domains: number };
  files: readonly { changed: boolean }[];
}

/** One line that says what an export wrote. */
export function exportLine({ dir, counts, files }: ExportSummary): string {
  const changed = files.filter((file) => file.changed).length;
  const what = changed === 0 ? 'nothing changed' : `${changed} of ${files.length} files changed`;
  return `Exported ${counts.instances} instances and ${counts.domains} domains to ${dir} (${what}).`;
}
