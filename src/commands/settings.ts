import { settingsJsonSchema } from '../settings/settings.ts';
import type { Run } from './command.ts';
import { settingsOf } from './input/open-app.ts';

/** `settings`: what is in force once file, environment and flags are laid over the defaults; or the schema of the file. */
export const run: Run<{ schema?: boolean }> = async (invocation) => {
  const { options, terminal } = invocation;
  const shown = options.schema === true ? settingsJsonSchema() : settingsOf(invocation);
  terminal.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
  return 0;
};
