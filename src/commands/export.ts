import type { Run } from './command.ts';
import { openApp } from './open-app.ts';

/** `export`: writes the datasets from what is in the database. */
export const run: Run = async (invocation) => {
  const { options, terminal } = invocation;
  await using app = await openApp(invocation);
  const report = await app.export();
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
