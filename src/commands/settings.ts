import { settingsJsonSchema } from '../settings/settings.ts';
import type { Help, Run } from './command.ts';
import { settingsOf } from './input/open-app.ts';

export const help: Help = {
  options: [
    ['--schema', 'show the JSON Schema of the settings file instead'],
    ['--words', 'show every text of the pages instead, as a file for site.words'],
  ],
  more: `Settings come from the defaults, the settings file, LOOPSCOUT_* variables and
--set; each overrides the one before. Relative paths in the file are taken from
its folder.

--words writes the texts in force as JSON. Translate or change any of them, name
the file in site.words, and set site.language. {name} marks where a value
belongs; "one" and "other" are the forms of a plural, and a language may have
more (zero, two, few, many). A text that the file lacks is named on stderr, and
stays as it is.`,
  examples: [
    'loopscout settings',
    'loopscout settings --schema',
    'loopscout settings --words',
    'loopscout --set queue.concurrency=10 settings',
  ],
};

/** `settings`: prints the settings in force, the schema of the settings file, or the words of the pages. */
export const run: Run<{ schema?: boolean; words?: boolean }> = async (invocation) => {
  const { options, terminal } = invocation;
  let output: object;
  if (options.schema === true) output = settingsJsonSchema();
  else if (options.words === true) {
    const { pageWords } = await import('../site/brand.ts');
    const { words, missing } = pageWords(settingsOf(invocation));
    for (const key of missing) terminal.stderr.write(`site.words lacks ${key}; the pages show our text\n`);
    output = words;
  } else output = settingsOf(invocation);
  terminal.stdout.write(`${JSON.stringify(output, null, 2)}\n`);
  return 0;
};
