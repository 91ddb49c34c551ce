import { listSourceRuns, listSources } from '../service/sources/source-overview.ts';
import { type Help, type Run, writeResult } from './command.ts';
import { settingsOf } from './input/open-app.ts';
import { runsText, sourcesText } from './output/source-tables.ts';
import { tableWidth } from './output/table.ts';

export const help: Help = {
  argument: 'show the runs of this source, by its key or label',
  more: `Reads only the database. "only here" counts the Loops servers that no other
source lists: the directory would lack them without this source.

Times are ISO 8601 in UTC with --json.`,
  examples: ['loopscout sources', 'loopscout sources fediverse-observer --json'],
};

/** `sources [SOURCE]`: the results of each source, or the runs of one. */
export const run: Run = async (invocation) => {
  const { args, terminal } = invocation;
  const settings = settingsOf(invocation);
  const [source] = args;
  const maxWidth = tableWidth(terminal.stdout);
  if (source === undefined) {
    const sources = listSources(settings, Date.now());
    writeResult(invocation, sources, () => sourcesText(sources, maxWidth));
    return 0;
  }
  const history = listSourceRuns(settings, source);
  if (history === null) {
    terminal.stderr.write(
      `loopscout: the source ${source} has never been read; to list those that have, run: loopscout sources\n`,
    );
    return 1;
  }
  writeResult(invocation, history, () => runsText(history.key, history.runs, maxWidth));
  return 0;
};
