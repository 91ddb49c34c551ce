import { settingsJsonSchema } from '../settings/settings.ts';
import type { Help, Run } from './command.ts';
import { settingsOf } from './input/open-app.ts';

export const help: Help = {
  options: [['--schema', 'show the JSON Schema of the settings file instead']],
  more: `Settings come from the defaults, the settings file, LOOPSCOUT_* variables and
--set; each overrides the one before. Relative paths in the file are taken from
its folder.`,
  examples: ['loopscout settings', 'loopscout settings --schema', 'loopscout --set queue.concurrency=10 settings'],
};

/** `settings`: prints the settings in force, or the schema of the settings file. */
export const run: Run<{ schema?: boolean }> = async (invocation) => {
  const { options, terminal } = invocation;
  const output = options.schema === true ? settingsJsonSchema() : settingsOf(invocation);
  terminal.stdout.write(`${JSON.stringify(output, null, 2)}\n`);
  return 0;
};
