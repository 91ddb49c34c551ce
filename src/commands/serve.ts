import { createLogger } from '../logger.ts';
import { serve } from '../service/serve.ts';
import { abortOnSignal } from '../shutdown.ts';
import type { Run } from './command.ts';
import { settingsOf } from './input/open-app.ts';
import { untilAborted } from './input/values.ts';

/** `serve`: the API and the pages over an existing database, until SIGINT or SIGTERM, or until the database file is gone or replaced. */
export const run: Run = async (invocation) => {
  const { options, terminal } = invocation;
  const settings = settingsOf(invocation);
  using interrupt = abortOnSignal();
  const logger = createLogger({ level: settings.log.level, stream: terminal.stderr });
  await using server = await serve(settings, logger);
  const addresses = { url: server.url, api: `${server.url}/api`, health: `${server.url}/health` };
  terminal.stdout.write(
    options.json === true
      ? `${JSON.stringify(addresses)}\n`
      : `Pages and API of ${settings.database}: open ${server.url} (API: ${addresses.api}).\nNothing is visited or changed. SIGINT or SIGTERM stops it.\n`,
  );
  const broken = await Promise.race([server.broken, untilAborted(interrupt.signal)]);
  if (broken === undefined) return 0;
  logger.fatal(broken.message);
  throw broken;
};
