import type { CommandEntry, Run } from './command.ts';

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    argument: ['[dir]', 'the folder to write to (default: the current folder)'],
    summary: 'write crawler.config.json and seeds.txt, with which crawl and run can start',
    options: [
      ['--contact <contact>', 'https URL or mail address at which operators of visited servers can reach you'],
      ['--sources <ids>', 'the remote sources to read, such as fediverse-observer,minoru; or none'],
      ['--service', 'also write loopscout.service, a unit file for systemd'],
      ['--force', 'replace existing files'],
    ],
    more: `On a terminal, asks for the contact and the sources that are not given as
options. Otherwise --contact is required, and the default of --sources is
fediverse-observer. All sources are in the file, with a note about each: those
that were not chosen are switched off. seeds.txt lists known Loops servers and
is always read.

Examples:
  loopscout init
  loopscout init directory --contact https://your.site/bot --sources none`,
    load: () => import('./init.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'crawl',
    argument: ['[domain...]', 'visit only these, now, due or not'],
    summary: 'one pass: read the sources, visit every due domain, export',
    options: [
      [
        '--sources <which>',
        'due (default), all, fresh (all in full, even unchanged lists), or none; none when domains are named',
      ],
      ['--dry-run', 'show which sources would be read and which domains visited; contact nobody, write nothing'],
    ],
    load: () => import('./crawl.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'run',
    summary: 'the service: visit due domains and export changes until it is stopped',
    more: `Runs until SIGINT or SIGTERM. The first signal lets running visits finish
(service.shutdownSeconds); the second abandons them. SIGHUP reloads the settings
and logs which changes need a restart. Logs one line per visit, as JSON unless
on a terminal. Only one run can use a database; crawl, add, explain, export and
backup can be used at the same time. GET /health at serve.host and serve.port
reports the health of the service.`,
    load: () => import('./run.ts'),
  },
  {
    name: 'serve',
    summary: 'the API over an existing database, which is only read',
    more: `Serves the directory, its history and explanations as JSON at serve.host and
serve.port. /api documents the endpoints, /openapi.json describes them for
programs. Nothing is visited or changed; a service may use the same database.
Runs until SIGINT or SIGTERM. Exits with 1 when the database file is moved,
deleted or replaced.

Example:
  loopscout serve --set serve.port=8081`,
    load: () => import('./serve.ts'),
  },
  {
    name: 'health',
    summary: 'show the health of the running service; exit 1 when it does not respond or is failing',
    load: () => import('./health.ts'),
  },
  {
    name: 'check',
    argument: ['[domain]', 'the domain to check, with its port when it is not 443; or http://127.0.0.1:PORT'],
    summary: 'report what is wrong with a server and how to fix it, for its operator',
    options: [
      ['--only <list>', 'check only these rules or areas, for example tls,config-cors'],
      ['--skip <list>', 'check all but these rules or areas'],
      ['--strict', 'treat warnings as failures: in the exit code, in JUnit, for --watch'],
      ['--watch', 'repeat the check until nothing fails, and print the changes'],
      ['--interval <seconds>', 'with --watch: seconds between two checks, 60 or more (default: 120)'],
      ['--quiet', 'print only problems; nothing when there are none'],
      ['--markdown', 'print the report as Markdown, for an issue or a chat'],
      [
        '--junit [file]',
        'write the report as JUnit XML; to stdout with -, or without a file (then put this after the domain)',
      ],
      ['--badge <file>', 'write a badge, as SVG; as JSON for shields.io when its name ends in .json'],
      ['--rules', 'list all rules'],
      ['--rule <id>', 'describe one rule: what it checks, why, its cure'],
    ],
    more: `Checks DNS, TLS, HTTP, robots.txt, configuration, NodeInfo, API, OAuth and
federation of one server with at most 40 requests in 60 seconds. Reports what a
directory will show, how several clients see the server, and a cure for each
problem. Needs no database, stores nothing and changes nothing on the server.
The only requests other than GET are harmless: a CORS preflight, and empty JSON
objects posted to OAuth, to the registration of apps and to the shared inbox
(not with --skip federation-inbox).

A server on this machine is checked over http, at 127.0.0.1, localhost or [::1]:
DNS, TLS and reachability from outside are not judged then.

Areas: dns, tls, http, robots, config, nodeinfo, agreement, api, oauth,
federation. A check sends up to ten requests to the API, and a server accepts 60
a minute and 700 an hour, so --watch pauses for at least a minute.

With --json: domain, verdict, reason, via, steps, instance, clients, counts,
findings (id, area, severity, title, detail, cure) and more; with --watch one
line per check. In JUnit, an area is a suite and a rule is a test; a warning is
output of a passed test, or a failure with --strict.

Exit code: 0; 1 when a finding is "fail", or when the verdict is not "loops",
even if --only or --skip leaves out the rule that reports it; 2 for a usage or
settings error; 3 when this machine is offline, so that nothing was checked.

Examples:
  loopscout check loops.example
  loopscout check loops.example --only tls,dns --quiet
  loopscout check loops.example --junit check.xml --badge check.svg
  loopscout check loops.example --watch
  loopscout check http://127.0.0.1:8089`,
    load: () => import('./check.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'explain',
    argument: ['<domain>', 'the domain to explain'],
    summary: 'why a domain is listed or not, from the database',
    options: [['--visits <number>', 'how many of the last visits to show (default: 5)']],
    more: `Shows from the database: the state of the domain and since when, whether it is
listed, why, and what would change that, its last known facts and their age,
their changes, the last visits step by step, and when and why the next visit is
due. Visits nothing; a service may be running.

With --json: domain, state, since, verdict, reason, via, listed, why, visits,
nextVisit, nextVisitWhy and more. Times are ISO 8601 in UTC. The steps of a
visit are null once they were deleted (retention.stepsDays).

Exit code: 0, or 1 for an unknown domain (its state is null).

Examples:
  loopscout explain loops.example
  loopscout explain loops.example --visits 20 --json`,
    load: () => import('./explain.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'add',
    argument: ['<domain...>', 'the domains to enter and visit'],
    summary: 'enter domains, visit them now, and report whether they are listed',
    more: `Earlier failures are cleared: a dead domain starts again. If a service on the
same database is visiting a domain, waits up to a minute for that visit and
shows it. After its own visits it also exports; visits of the service are
exported by the service.

Exit code: 1 when a domain has opted out or was not visited; otherwise 0.

Example:
  loopscout add loops.example`,
    load: () => import('./add.ts'),
  },
  {
    name: 'forget',
    argument: ['<domain...>', 'the domains to opt out'],
    summary: 'opt domains out permanently, and purge their data',
    more: `For owners who ask for it. The domains are never visited again, even if they
were unknown, no source brings them back, and no command undoes it. A host is
covered at every port, with and without www.; a host with a port, at that port.
All their stored data is purged, and the exported files are rewritten without
them. Repeating the command changes nothing. If the guard of export refuses the
new files, the exit code is 1 and the domains stay published until a later
export.

Example:
  loopscout forget loops.example`,
    load: () => import('./forget.ts'),
  },
  {
    name: 'sources',
    argument: ['[source]', 'show the runs of this source, by its key or label'],
    summary: 'the results of each source: last run, domains, Loops servers',
    more: `Reads only the database. "only here" counts the Loops servers that no other
source lists: the directory would lack them without this source.

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
URL or a readable file.

Examples:
  loopscout compare https://directory.example/instances.json
  loopscout compare their-list.txt --json`,
    load: () => import('./compare.ts'),
  },
  {
    name: 'backup',
    argument: ['<file>', 'where to write the copy; a relative path is taken from the current folder'],
    summary: 'a consistent copy of the database, even while a service is using it',
    options: [['--force', 'replace the file if it exists']],
    more: `The copy is complete or absent. To restore it, stop the service and replace the
database with the copy.

Example:
  loopscout backup backups/loopscout-monday.sqlite`,
    load: () => import('./backup.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'export',
    summary: 'write the datasets, and a static site, from the database',
    options: [
      ['--site <folder>', 'the folder for the pages as a static site'],
      ['--as-of <time>', 'as of a past time: 2026-03-01 or 2026-03-01T12:00:00Z; needs --dir'],
      ['--dir <folder>', 'the folder for the files of --as-of; a relative path is taken from the current folder'],
      ['--force', 'skip the guard; with --as-of, allow the folder of the current files'],
    ],
    more: `The files are replaced only if all of them could be written. The guard keeps the
old files, with exit code 1, when more listed instances would disappear within
24 hours than export.maxDropPercent allows, when the database is older than the
files or a different one, and when no visit was answered since the crawler was
offline. --force skips the guard.

--as-of rebuilds every dataset from the history, back to retention.visitsDays; a
date means its start in UTC. Domains that have since opted out are omitted.

--site writes a site that any web space can host, into an empty folder or over
an earlier site: only changed pages are rewritten, and pages of instances that
left the directory are deleted. The setting export.site does it at every export.

Examples:
  loopscout export
  loopscout export --site public
  loopscout export --as-of 2026-03-01 --dir march`,
    load: () => import('./export.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'diff',
    argument: ['<times...>', 'two past times, 2026-03-01 or 2026-03-01T12:00:00Z, the earlier first; or now'],
    summary: 'what changed in the directory between two times',
    more: `Lists the instances that are new, gone or moved, changed their version or name,
opened or closed registration, or went up or down. A date means its start
in UTC; the second time defaults to now.

With --json: from, to, listed, new, gone, moved, upgraded, downgraded,
versionChanged, opened, closed, renamed, up, down.

Examples:
  loopscout diff 2026-03-01 now
  loopscout diff 2026-03-01 2026-04-01 --json`,
    load: () => import('./diff.ts'),
  },
  {
    name: 'replay',
    summary: "run today's parsers over every stored document",
    options: [['--apply', 'record the differences']],
    more: `Reports each verdict and fact that would change, and writes nothing unless
--apply is given. With it, the visits and their changes are corrected, with the
time of the visit and the cause "replay"; a second replay finds no differences.
Visits nothing; a service may be running. Domains that it is visiting are
skipped until the next replay.

With --json: differences (domain, visitId, at, field, from, to), end, applied,
visits, changedVisits, differenceCount, byField, wouldAskElsewhere, damaged,
withheld, uncorrected. Times are ISO 8601 in UTC.

Exit code: 0, or 1 when it was stopped before the end.

Examples:
  loopscout replay
  loopscout replay --apply --json`,
    load: () => import('./replay.ts'),
  },
  {
    name: 'settings',
    summary: 'show the settings in force',
    options: [['--schema', 'show the JSON Schema of the settings file instead']],
    load: () => import('./settings.ts'),
  },
  {
    name: 'reference',
    summary: 'run a Loops server to test clients and crawlers against, or a fleet of them',
    options: [
      ['--port <port>', 'port to listen on; 0 for any free one (default: 8089, with --fleet any)'],
      ['--profile <profile>', 'spec or live: as specified, or like real servers (default: spec)'],
      ['--host <address>', 'address to listen on (default: 127.0.0.1)'],
      ['--tls', 'use TLS, with its own certificate authority'],
      ['--database <file>', 'store accounts, apps and tokens in this SQLite file (default: in memory)'],
      ['--seed <number>', 'the same seed gives the same accounts, videos and hosts (default: 1)'],
      ['--options <file>', 'JSON file with options of the library: config, faults, delayMs, accounts, ...'],
      ['--control <port>', 'let requests to this port of 127.0.0.1 change the faults; 0 for any free one'],
      ['--fleet <hosts>', 'run this many virtual hosts of every kind over TLS, or the hosts of a fleet file'],
    ],
    more: `Serves the whole Loops interface on this machine until it is interrupted: OAuth
with consent pages, registration of apps, account, video, config and NodeInfo;
with seeded accounts and videos, and with faults on demand. Needs no network.
Prints its URL, the accounts and requests to paste. With the default --seed,
sign in as ada with the password delta-marble-otter-4832.

Examples:
  loopscout reference
  loopscout reference --profile live --tls --database kept.sqlite
  loopscout reference --options options.json --json
  loopscout reference --control 8090
  loopscout reference --fleet 300`,
    load: () => import('./reference.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'demo',
    summary: 'the service over a fleet of reference servers on this machine; needs no network',
    options: [
      ['--once', 'crawl the fleet once, without a past, and end'],
      ['--hosts <hosts>', 'size of the fleet (default: 240)'],
    ],
    more: `Starts a fleet with every kind of host, invents and records a past year for it,
crawls it, compares each verdict with what the fleet expects, prints one URL,
and keeps crawling until Ctrl-C, which removes the folder of the demo.`,
    load: () => import('./demo.ts') as Promise<{ run: Run }>,
  },
];
