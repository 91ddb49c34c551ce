import { forgetDomains, requireDatabase } from '../app/database.ts';
import { parseDomains } from '../settings/parse-domains.ts';
import { abortOnSignal, unlessAborted } from '../shutdown.ts';
import type { Help, Run } from './command.ts';
import { exportLine } from './export.ts';
import { openApp, settingsFileFor, settingsOf } from './input/open-app.ts';

export const help: Help = {
  argument: 'the domains to opt out',
  more: `For owners who ask for it. The domains are never visited again, even if they
were unknown, no source brings them back, and no command undoes it. A host is
covered at every port, with and without www.; a host with a port, at that port.
All their stored data is purged, and the exported files are rewritten without
them. Repeating the command only exports again. If the guard of export refuses
the new files, the exit code is 1 and the domains stay published until a later
export.`,
  examples: ['loopscout forget loops.example', 'loopscout forget loops.example:8443 videos.example'],
};

/** `forget DOMAIN...`: opts domains out permanently, purges their data, and exports again without them. */
export const run: Run = async (invocation) => {
  const { args, options, terminal } = invocation;
  const settings = settingsOf(invocation);
  const domains = [...new Set(parseDomains(args, settings))];
  // In a wrong folder, the command would create a database and opt out nothing that is ever crawled.
  if (!settingsFileFor(invocation).exists) await requireDatabase(settings);
  using interrupt = abortOnSignal();
  await using app = await openApp(invocation, settings);
  const { forgotten, already } = await forgetDomains(app, domains);
  const isJson = options.json === true;
  if (!isJson) {
    for (const domain of forgotten)
      terminal.stdout.write(
        `${domain} is opted out permanently: its data was purged, and it will not be visited again.\n`,
      );
    for (const domain of already)
      terminal.stdout.write(`${domain} was already opted out; nothing about it is stored.\n`);
  }
  // Also exports when all domains were already opted out, because an earlier export may have failed.
  // The guard ignores opted-out domains. If it refuses the export for another reason, the old files stay.
  const report = await unlessAborted(interrupt.signal, () =>
    app.publishing.export(interrupt.signal, { months: 'rewrite-unfinished' }),
  ).catch((error: unknown) => {
    if (isJson) terminal.stdout.write(`${JSON.stringify({ forgotten, already, export: null }, null, 2)}\n`);
    terminal.stderr.write(
      `The database no longer holds ${domains.join(', ')}, but published files may still name them.\n`,
    );
    throw error;
  });
  if (isJson) terminal.stdout.write(`${JSON.stringify({ forgotten, already, export: report }, null, 2)}\n`);
  else if (report !== null) terminal.stdout.write(`${exportLine(report)}\n`);
  if (report !== null) return 0;
  terminal.stderr.write('Stopped: the exported files are unchanged; the next export will leave the domains out.\n');
  return 1;
};
