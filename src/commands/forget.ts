import { abortOnSignal, parseDomains } from '../app/app.ts';
import { forgetDomains } from '../app/database.ts';
import type { Run } from './command.ts';
import { exportLine } from './export.ts';
import { openApp, settingsOf } from './input/open-app.ts';
import { unlessAborted } from './output/crawl-report.ts';

/** `forget DOMAIN...`: opts domains out for good, purges what is stored of them, and writes the exported files without them. */
export const run: Run = async (invocation) => {
  const { args, options, terminal } = invocation;
  const domains = [...new Set(parseDomains(args, settingsOf(invocation)))];
  using interrupt = abortOnSignal();
  await using app = await openApp(invocation);
  const { forgotten, already } = await forgetDomains(app, domains);
  const isJson = options.json === true;
  if (!isJson) {
    for (const domain of forgotten)
      terminal.stdout.write(
        `${domain} has opted out for good: all that was stored of it is purged, and it is not visited again.\n`,
      );
    for (const domain of already) terminal.stdout.write(`${domain} had opted out before; nothing is stored of it.\n`);
  }
  // Also when all had opted out before: an export may have failed since.
  // What is forgotten is nothing that the guard takes for lost; whatever else it finds is told below, and not published.
  const report = await unlessAborted(interrupt.signal, () => app.export(interrupt.signal)).catch((error: unknown) => {
    if (isJson) terminal.stdout.write(`${JSON.stringify({ forgotten, already, export: null }, null, 2)}\n`);
    terminal.stderr.write(`The database no longer holds ${domains.join(', ')}, but the published files still do.\n`);
    throw error;
  });
  if (isJson) terminal.stdout.write(`${JSON.stringify({ forgotten, already, export: report }, null, 2)}\n`);
  else if (report !== null) terminal.stdout.write(`${exportLine(report)}\n`);
  if (report !== null) return 0;
  terminal.stderr.write('Stopped: the exported files are as they were, and the next export leaves it out.\n');
  return 1;
};
