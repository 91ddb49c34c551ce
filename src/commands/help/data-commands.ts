import type { CommandEntry, Run } from '../command.ts';

/** What the database holds. */
export const DATA_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'explain',
    argument: ['<domain>', 'the domain to explain'],
    summary: 'why a domain is listed or not, from the database',
    options: [['--visits <number>', 'how many of the last visits to show (default: 5)']],
    more: `Shows from the database: the state of the domain and since when; whether it is
listed, why, and what would change that; its last known facts and their age;
their changes; the last visits step by step; when and why the next visit is
due. Visits nothing; a service may be running.

With --json: domain, state, since, verdict, reason, via, listed, why, visits,
nextVisit, nextVisitWhy and more. Times are ISO 8601 in UTC. The steps of a
visit are null once they were deleted (retention.stepsDays).

Exit code: 0, or 1 for an unknown domain (its state is null).`,
    examples: ['loopscout explain loops.example', 'loopscout explain loops.example --visits 20 --json'],
    load: () => import('../explain.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'sources',
    argument: ['[source]', 'show the runs of this source, by its key or label'],
    summary: 'the results of each source: last run, domains, Loops servers',
    more: `Reads only the database. "only here" counts the Loops servers that no other
source lists: the directory would lack them without this source.

Times are ISO 8601 in UTC with --json.`,
    examples: ['loopscout sources', 'loopscout sources fediverse-observer --json'],
    load: () => import('../sources.ts'),
  },
  {
    name: 'compare',
    argument: [
      '<source>',
      'a source of the settings by its key, URL or path; or another list: a file, or the URL of a JSON list',
    ],
    summary: "domains a source lists that we don't, and the reverse, each with our reason",
    more: `Reads the source now and stores nothing. If a source names software, only its
Loops entries are compared; otherwise all domains are, but those known to run
other software are counted and not named. A URL is read as a JSON list of hosts,
or, if it ends in instances.json, as an export of Loopscout.

With --json: source, outcome, why, listed, saidOther, both, theirs (domain,
because, detail), theirsByReason, ours (domain, via, version, firstSeen,
sources), refused, refusedByReason. Times are ISO 8601 in UTC.

Exit code: 0; 1 when the list cannot be read, because the server does not
answer, has opted out or sends no list; 2 when the argument is not a source, a
URL or a readable file.`,
    examples: ['loopscout compare https://directory.example/instances.json', 'loopscout compare their-list.txt --json'],
    load: () => import('../compare.ts'),
  },
  {
    name: 'export',
    summary: 'write the datasets, and a static site, from the database',
    options: [
      ['--site <folder>', 'the folder for the pages as a static site'],
      ['--force', 'skip the guard'],
    ],
    more: `The files are replaced only if all of them could be written. The guard keeps the
old files, with exit code 1, when more listed instances would disappear within
24 hours than export.maxDropPercent allows, when the database is older than the
files or a different one, and when no visit was answered since the crawler was
offline. --force skips the guard.

The first export of each day (UTC) also writes its instances as a dated file,
history/YYYY-MM-DD.json.gz, which later exports change only to remove hosts that
opted out or ask not to be published.

--site writes a site that any web host can serve, into an empty folder or over
an earlier site: only changed pages are rewritten, and pages of instances that
left the directory are deleted. The setting export.site does it at every export.`,
    examples: ['loopscout export', 'loopscout export --site public'],
    load: () => import('../export.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'diff',
    argument: ['<directories...>', 'two dates such as 2026-03-01, or files; the earlier first'],
    summary: 'what changed between two published directories',
    more: `Lists the instances that are new, gone or moved, changed their version or name,
opened or closed registration, or went up or down. A date names the dated file
of that day in the export folder; a file is an instances.json or a dated file.
The second defaults to the instances.json of the last export. The reason why an
instance has gone is the present one, from the database.

With --json: from, to, listed, new, gone, moved, upgraded, downgraded,
versionChanged, opened, closed, renamed, up, down.`,
    examples: ['loopscout diff 2026-03-01', 'loopscout diff 2026-03-01 2026-04-01 --json'],
    load: () => import('../diff.ts'),
  },
  {
    name: 'backup',
    argument: ['<file>', 'where to write the copy; a relative path is taken from the current folder'],
    summary: 'a consistent copy of the database, even while a service is using it',
    options: [['--force', 'replace the file if it exists']],
    more: `The copy is complete or absent. To restore it, stop the service and replace the
database with the copy.`,
    examples: ['loopscout backup backups/monday.sqlite', 'loopscout backup backups/latest.sqlite --force'],
    load: () => import('../backup.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'replay',
    summary: "run today's parsers over every stored document",
    options: [['--revisit', 'make the domains due whose documents are read differently']],
    more: `Reports each verdict and fact that would change. Never changes a recorded visit:
with --revisit, the next crawl visits those domains, and those of which today's
parsers would request another URL. A service may be running.

With --json: differences (domain, visitId, at, field, from, to), end, visits,
changedVisits, differenceCount, byField, wouldAskElsewhere, damaged, revisited.
Times are ISO 8601 in UTC.

Exit code: 0, or 1 when it was stopped before the end.`,
    examples: ['loopscout replay', 'loopscout replay --revisit --json'],
    load: () => import('../replay.ts'),
  },
  {
    name: 'settings',
    summary: 'show the settings in force',
    options: [['--schema', 'show the JSON Schema of the settings file instead']],
    more: `Settings come from the defaults, the settings file, LOOPSCOUT_* variables and
--set; each overrides the one before. Relative paths in the file are taken from
its folder.`,
    examples: ['loopscout settings', 'loopscout settings --schema', 'loopscout --set queue.concurrency=10 settings'],
    load: () => import('../settings.ts'),
  },
];
