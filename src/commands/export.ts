import { resolve } from 'node:path';
import { requireDatabase } from '../app/database.ts';
import { ExportError } from '../export/export-error.ts';
import { counted } from '../report/text-blocks.ts';
import { abortOnSignal, unlessAborted } from '../shutdown.ts';
import { type Help, type Invocation, type Run, UsageError, writeResult } from './command.ts';
import { openApp, settingsOf } from './input/open-app.ts';

export const help: Help = {
  options: [
    ['--site <folder>', 'the folder for the pages as a static site'],
    ['--force', 'skip the guard'],
  ],
  more: `The files are replaced only if all of them could be written. The guard keeps the
old files, with exit code 1, when more listed instances would disappear within
24 hours than export.maxDropPercent allows, when the database is older than the
files or a different one, and when no visit was answered since the crawler was
offline. --force skips the guard.

The first export of each day (UTC) also writes its instances as a dated file,
history/YYYY-MM-DD.json.gz, which later exports change only to remove hosts that
opted out or ask not to be published.

--site writes a site that any web host can serve, into an empty folder or over
an earlier site: only changed pages are rewritten, and pages of instances that
left the directory are deleted. The setting export.site does it at every export.`,
  examples: ['loopscout export', 'loopscout export --site public'],
};

interface ExportOptions {
  site?: string;
  force?: boolean;
}

/** `export`: writes the datasets from the database. */
export const run: Run<ExportOptions> = async (invocation) => {
  const { terminal } = invocation;
  using interrupt = abortOnSignal();
  const report = await unlessAborted(interrupt.signal, () => exportNow(invocation, interrupt.signal));
  if (report === null) {
    terminal.stderr.write('Stopped: the exported files are unchanged.\n');
    return 1;
  }
  writeResult(invocation, report, () => `${exportLine(report)}\n`);
  return 0;
};

async function exportNow(invocation: Invocation<ExportOptions>, signal: AbortSignal) {
  const { options, terminal } = invocation;
  const { site, force = false } = options;
  if (site?.trim() === '') throw new UsageError('--site is empty; name the folder for the pages');
  const settings = settingsOf(invocation);
  await requireDatabase(settings);
  await using app = await openApp(invocation, settings);
  try {
    return await app.publishing.export(signal, { force, siteDir: site && resolve(terminal.cwd, site) });
  } catch (error) {
    throw error instanceof ExportError && error.namedBy === 'export.site' && site !== undefined
      ? error.ofOption('--site')
      : error;
  }
}

interface ExportSummary {
  dir: string;
  counts: { instances: number; domains: number };
  notPublished: number;
  users: { reporting: number; implausible: number };
  files: readonly { changed: boolean }[];
  damaged: readonly string[];
  /** Whether any file was rewritten, including the manifest, which is not in `files`. */
  changed: boolean;
  site?: { dir: string; files: number; changed: number; deleted: number; skipped: readonly string[] };
}

/** What an export wrote, and what it left out. */
export function exportLine({ dir, counts, notPublished, users, files, damaged, changed, site }: ExportSummary): string {
  const count = files.filter((file) => file.changed).length;
  const unchanged = changed ? 'only the manifest changed' : 'nothing changed';
  const what = count === 0 ? unchanged : `${count} of ${files.length} files changed`;
  const lines = [
    `Exported ${counted(counts.instances, 'instance')} and ${counted(counts.domains, 'domain')} to ${dir} (${what}).`,
  ];
  if (notPublished > 0) {
    const known = counts.domains + notPublished;
    lines.push(`Domains: ${known} known, ${counts.domains} exported, ${notPublished} not published at their request.`);
  }
  const { reporting, implausible } = users;
  if (implausible > 0) {
    lines.push(`Number of users: ${implausible} of ${reporting + implausible} excluded as implausible.`);
  }
  if (damaged.length > 0)
    lines.push(
      `Removed, because they were damaged: ${damaged.join(', ')}. Put them back from a backup, if there is one.`,
    );
  if (site !== undefined) {
    const { changed: written, deleted, skipped } = site;
    lines.push(`Site: ${site.files} files in ${site.dir} (${written} written, ${deleted} deleted).`);
    if (skipped.length > 0)
      lines.push(`Left alone, because they were not written by loopscout: ${skipped.join(', ')}.`);
  }
  return lines.join('\n');
}
