import { settingsJsonSchema } from '../settings/settings.ts';
import type { Run } from './command.ts';
import { settingsOf } from './input/open-app.ts';

/** `settings`: prints the settings in force, or the schema of the settings file. */
export const run: Run<{ schema?: boolean }> = async (invocation) => {
  const { options, terminal } = invocation;
  const output = options.schema === true ? settingsJsonSchema() : settingsOf(invocation);
  terminal.stdout.write(`${JSON.stringify(output, null, 2)}\n`);
  return 0;
};
