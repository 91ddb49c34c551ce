import { createLogger } from '../logger.ts';
import { serve } from '../service/serve.ts';
import { abortOnSignal } from '../shutdown.ts';
import type { Help, Run } from './command.ts';
import { settingsOf } from './input/open-app.ts';
import { untilAborted } from './input/values.ts';

export const help: Help = {
  more: `Serves the directory, its history and explanations as pages and as JSON at
serve.host and serve.port. /api documents the endpoints, /openapi.json describes
them for programs. Nothing is visited or changed; a service may use the same
database. Runs until SIGINT or SIGTERM. Exits with 1 when the database file is
moved, deleted, replaced or damaged.`,
  examples: ['loopscout serve', 'loopscout serve --set serve.port=8081'],
};

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
