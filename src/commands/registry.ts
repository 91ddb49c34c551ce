import type { Run } from './command.ts';

/** One verb: what `--help` says of it, and where its action is. Actions are loaded when they run, so that help is instant. */
export interface CommandEntry {
  name: string;
  /** In commander's notation: `[domain...]`. */
  argument?: readonly [form: string, description: string];
  summary: string;
  options?: readonly (readonly [form: string, description: string])[];
  /** What `--help` says below the options: what it does at length, and examples. */
  more?: string;
  load: () => Promise<{ run: Run }>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'crawl',
    argument: ['[domain...]', 'visit just these, now, whether due or not'],
    summary: 'one pass: read the sources, visit every due domain, export',
    options: [
      [
        '--sources <which>',
        'due (default), all, fresh (all, also what says that it has not changed), or none; none when domains are named',
      ],
    ],
    load: () => import('./crawl.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'run',
    summary: 'the service: visit what is due, export what changes, until it is told to stop',
    more: `Runs until SIGINT or SIGTERM: the first lets running visits end and be recorded
(service.shutdownSeconds), the second gives them up. SIGHUP reads the settings
anew and says what needs a restart. Logs a line for each visit, as JSON unless
on a terminal. One run at a time has a database; crawl, add, explain, export and
backup can be used beside it. GET /health at serve.host and serve.port says how
it is.`,
    load: () => import('./run.ts'),
  },
  {
    name: 'serve',
    summary: 'the API over an existing database, which is only read',
    more: `Serves the directory, its history and why each domain is listed or not, as JSON,
at serve.host and serve.port: /api tells in words what can be asked,
/openapi.json to programs. Nothing is visited or changed; a service may be
running on the same database, or none. Runs until SIGINT or SIGTERM; when the
database is moved, deleted or replaced, it says so and ends with 1.

Example:
  loopscout serve --set serve.port=8081`,
    load: () => import('./serve.ts'),
  },
  {
    name: 'health',
    summary: 'ask the running service how it is; exit 1 when it does not answer or something fails',
    load: () => import('./health.ts'),
  },
  {
    name: 'check',
    argument: ['[domain]', 'the domain to check, with its port when it is not 443'],
    summary: 'what is wrong with a server, and how to cure it: the report for its operator, live',
    options: [
      ['--only <list>', 'check just these rules or areas, as tls,config-cors'],
      ['--skip <list>', 'check all but these rules or areas'],
      ['--strict', 'a warning counts like a failure: in the exit code, in JUnit, for --watch'],
      ['--watch', 'check again until nothing fails, and tell what has changed'],
      ['--interval <seconds>', 'with --watch: seconds between two checks, 60 or more (default: 120)'],
      ['--quiet', 'tell only what is wrong; nothing when nothing is'],
      ['--markdown', 'print the report as Markdown, for an issue or a chat'],
      ['--junit [file]', 'write the report as JUnit XML; to stdout with -, or without a file: name the domain first'],
      ['--badge <file>', 'write a badge, as SVG; as JSON for shields.io when its name ends in .json'],
      ['--rules', 'list all rules'],
      ['--rule <id>', 'tell all about one rule: what it checks, why, its cure'],
    ],
    more: `Looks at DNS, TLS, HTTP, robots.txt, configuration, NodeInfo, API, OAuth and
federation of one server; 40 requests and 60 seconds at most. Says what a
directory will show, how several clients see the server, and of all that is
wrong the cure. Needs no database, keeps nothing and changes nothing on the
server.

Areas: dns, tls, http, robots, config, nodeinfo, agreement, api, oauth,
federation. A check asks the API up to ten times, and a server takes 60 requests
a minute and 700 an hour: so --watch pauses for a minute or more.

With --json: domain, verdict, reason, via, steps, instance, clients, counts,
findings (id, area, severity, title, detail, cure) and more; with --watch a
line for each check. JUnit has an area as a suite and a rule as a test; a
warning is the output of a test that passes, or fails it under --strict.

Exit code: 0; 1 when a finding is "fail" or the verdict is not "loops", whatever
--only and --skip leave; 2 for what cannot be used.

Examples:
  loopscout check loops.example
  loopscout check loops.example --only tls,dns --quiet
  loopscout check loops.example --junit check.xml --badge check.svg
  loopscout check loops.example --watch`,
    load: () => import('./check.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'explain',
    argument: ['<domain>', 'the domain to explain'],
    summary: 'why a domain is listed or not, from the database',
    options: [['--visits <number>', 'how many of the last visits to tell (default: 5)']],
    more: `Answers from what is stored: where the domain stands and since when, whether
it is listed and why, what would change that, what it last said of itself and
how old that is, what changed, the last visits step by step, and when and why
the next one is due. Visits nothing; a service may be running meanwhile.

With --json: domain, state, since, verdict, reason, via, listed, why, visits,
nextVisit, nextVisitWhy and more. Times are ISO 8601 in UTC. The steps of a
visit are null once they are no longer kept (retention.stepsDays).

Exit code: 0, or 1 for a domain that was never heard of (its state is null).

Examples:
  loopscout explain loops.example
  loopscout explain loops.example --visits 20 --json`,
    load: () => import('./explain.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'add',
    argument: ['<domain...>', 'the domains to enter and visit'],
    summary: 'enter domains, visit them now, and say whether they are listed',
    more: `What failed before counts no more: a dead domain starts anew. If a service on
the same database is just visiting a domain, its visit is waited for, up to a
minute, and shown. The exported files are written anew, with the visits that
were made here; after a visit of the service they are the service's matter.

Exit code: 1 when one has opted out or was not visited; else 0, listed or not.

Example:
  loopscout add loops.example`,
    load: () => import('./add.ts'),
  },
  {
    name: 'forget',
    argument: ['<domain...>', 'the domains to opt out'],
    summary: 'opt domains out for good, and purge what is stored of them',
    more: `Meant for owners who ask for it. Known or not, the domains are never visited
again, no source brings them back, and no command takes it back. A host is
covered at every port, with www. or without; one that names a port, at that
port. Everything stored of them is purged, and the exported files are written
anew without them.
Doing it again changes nothing. If the files are kept back, as export does, the
exit code is 1: the domains stay published until a later export.

Example:
  loopscout forget loops.example`,
    load: () => import('./forget.ts'),
  },
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
  {
    name: 'backup',
    argument: ['<file>', 'where to write the copy; a relative path is taken from the current folder'],
    summary: 'a consistent copy of the database, even while a service is using it',
    options: [['--force', 'replace the file if it exists']],
    more: `The copy is complete or absent, and is a database like the original: to go back
to it, stop the service and put it in place of the database.

Example:
  loopscout backup backups/loopscout-monday.sqlite`,
    load: () => import('./backup.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'export',
    summary: 'write the datasets from the database',
    options: [
      ['--as-of <time>', 'as they stood at a past moment: 2026-03-01 or 2026-03-01T12:00:00Z; needs --dir'],
      ['--dir <folder>', 'where to write what --as-of rebuilds; a relative path is taken from the current folder'],
      ['--force', 'publish what the guard would keep back; with --as-of, write into the folder of the present files'],
    ],
    more: `The files are replaced only if all of them could be written. Kept as they are,
and the exit code is 1, when more of the listed instances would disappear, now
and within the last 24 hours, than export.maxDropPercent allows, when the
database is older than the files or another, and when no visit was answered
since we were offline; --force publishes all the same.

--as-of rebuilds every dataset from the history, back to retention.visitsDays; a
date is its first moment in UTC. Domains that were forgotten since are left out.

Examples:
  loopscout export
  loopscout export --as-of 2026-03-01 --dir march`,
    load: () => import('./export.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'diff',
    argument: ['<times...>', 'two past moments, 2026-03-01 or 2026-03-01T12:00:00Z, the earlier first; or now'],
    summary: 'what changed in the directory between two times',
    more: `Tells which instances are new, gone or moved, of which the version or the name
is another, which opened or closed registration, and which are up again or down.
A date is its first moment in UTC; the second time is now unless it is given.

With --json: from, to, listed, new, gone, moved, upgraded, downgraded,
versionChanged, opened, closed, renamed, up, down.

Examples:
  loopscout diff 2026-03-01 now
  loopscout diff 2026-03-01 2026-04-01 --json`,
    load: () => import('./diff.ts'),
  },
  {
    name: 'replay',
    summary: "read every stored document anew with today's parsers",
    options: [['--apply', 'record what is read differently']],
    more: `Reports each verdict and fact that would change, and writes nothing unless
--apply is given. Then the visits are corrected, and what follows from them, at
the time of the visit and with the cause "replay"; a second replay finds nothing
more. Visits nothing; a service may be running meanwhile. Domains that it is
just visiting are left for the next replay.

With --json: differences (domain, visitId, at, field, from, to), end, applied,
visits, changedVisits, differenceCount, byField, wouldAskElsewhere, damaged,
left. Times are ISO 8601 in UTC.

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
      [
        '--profile <profile>',
        'spec or live: the shape of the specification, or of servers met in the wild (default: spec)',
      ],
      ['--host <address>', 'address to listen on (default: 127.0.0.1)'],
      ['--tls', 'speak TLS, with a certificate authority of its own'],
      ['--database <file>', 'keep accounts, apps and tokens in this SQLite file (default: in memory)'],
      ['--seed <number>', 'the same seed gives the same accounts, videos and hosts (default: 1)'],
      ['--options <file>', 'JSON file with options of the library: config, faults, delayMs, accounts, ...'],
      [
        '--fleet <hosts>',
        'run so many virtual hosts over TLS, of every kind that a crawl meets; or those of a fleet file',
      ],
    ],
    more: `Serves the whole Loops interface on this machine until it is interrupted: OAuth
with consent pages, registration of apps, account, video, config and NodeInfo;
with seeded accounts and videos, and with faults on demand. Needs no network.
Prints its URL, who can sign in, and requests to paste. Unless --seed says
otherwise, sign in as ada with the password delta-marble-otter-4832.

Examples:
  loopscout reference
  loopscout reference --profile live --tls --database kept.sqlite
  loopscout reference --options options.json --json
  loopscout reference --fleet 300`,
    load: () => import('./reference.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'demo',
    summary: 'crawl a fleet of reference servers on this machine; needs no network',
    options: [
      ['--once', 'end when the crawl is done'],
      ['--hosts <hosts>', 'size of the fleet (default: 240)'],
    ],
    load: () => import('./demo.ts') as Promise<{ run: Run }>,
  },
];
