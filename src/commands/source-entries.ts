import type { CommandEntry } from './command-entry.ts';

/** The commands about where domains come from. */
export const SOURCE_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'sources',
    argument: ['[source]', 'the readings of this one, by its key or label'],
    summary: 'what each source was worth: when it was read, what it brought, what of that is Loops',
    more: `From the database alone; nothing is read or visited. "only here" are the Loops
servers that no other source lists: what the directory would lack without it.

Times are ISO 8601 in UTC with --json.

Examples:
  loopscout sources
  loopscout sources "file data/seeds.txt" --json`,
    load: () => import('./sources.ts'),
  },
  {
    name: 'compare',
    argument: [
      '<source>',
      'a source of the settings by its key, its URL or path; or another list: a file, or the URL of one in JSON',
    ],
    summary: 'whom a source lists that we do not, and the reverse, each with our reason',
    more: `Reads the source now and enters nothing. Of a source that names software, only
what it says is Loops is compared; of others every domain is, but those that
run other software are counted and not named. A URL is read as a list of hosts
in JSON, or, ending in instances.json, as what Loopscout exports.

With --json: source, outcome, why, listed, saidOther, both, theirs (domain,
because, detail), theirsByReason, ours (domain, via, version, firstSeen,
sources), refused, refusedByReason. Times are ISO 8601 in UTC.

Exit code: 0; 1 when the list is not to be had, since it does not answer, may
not be asked or holds no list; 2 when what is named is no source, no URL and no
file that can be read.

Examples:
  loopscout compare https://directory.example/instances.json
  loopscout compare their-list.txt --json`,
    load: () => import('./compare.ts'),
  },
];
