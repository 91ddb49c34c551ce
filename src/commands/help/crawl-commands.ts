import type { CommandEntry, Run } from '../command.ts';

/** Set-up, crawl and service. */
export const CRAWL_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    argument: ['[dir]', 'the folder to write to (default: the current folder)'],
    summary: 'write crawler.config.json and seeds.txt, and crawl for the first time',
    options: [
      ['--contact <contact>', 'https URL or mail address at which operators of visited servers can reach you'],
      ['--sources <ids>', 'the remote sources to read, such as fediverse-observer,minoru; or none'],
      ['--service', 'also write loopscout.service, a unit file for systemd'],
      ['--no-crawl', 'do not crawl yet'],
      ['--force', 'replace existing files'],
    ],
    more: `Without --contact, asks on a terminal for the contact and the sources. With it,
the default of --sources is fediverse-observer. All sources are in the file,
with a note about each: those that were not chosen are switched off. seeds.txt
lists known Loops servers and is always read. A first crawl follows and says how
many Loops servers it found and, if there are few, why; offline, it is skipped.`,
    examples: ['loopscout init', 'loopscout init directory --contact https://your.site/bot --sources none'],
    load: () => import('../init.ts') as Promise<{ run: Run }>,
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
    more: `Reads the sources that are due, visits every due domain, writes the datasets and
prints a summary. Named domains are visited whether due or not, and each request
is shown. After a stop or a crash, the next crawl continues with the rest.

Exit code: 0; 1 when the crawl was stopped or failed, another process is
crawling with the database, this machine is offline, the guard of export refuses
the new files, a named domain was not visited, or no domain is known; 2 for a
usage or settings error.`,
    examples: ['loopscout crawl', 'loopscout crawl --dry-run', 'loopscout crawl loops.example --json'],
    load: () => import('../crawl.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'run',
    summary: 'the service: visit due domains and export changes until it is stopped',
    more: `Runs until SIGINT or SIGTERM. The first signal lets running visits finish
(service.shutdownSeconds); the second abandons them. SIGHUP reloads the settings
and logs which changes need a restart; on a terminal, it stops the service. Logs
one line per visit, as JSON unless on a terminal. Only one process crawls with
a database; add, forget, explain, check, export, backup and serve can be used at
the same time. GET /health at serve.host and serve.port reports the health of
the service.`,
    examples: ['loopscout run', 'loopscout run --config /etc/loopscout/crawler.config.json --verbose'],
    load: () => import('../run.ts'),
  },
  {
    name: 'worker',
    summary: 'carry out the visits of a service on another machine',
    options: [
      ['--concurrency <number>', 'concurrent visits (default: 64)'],
      ['--name <name>', 'the public name of this worker, in logs and on /crawler (default: the host name)'],
    ],
    more: `A service whose settings name a job engine, a PostgreSQL database, hands its
visits to workers. Set the same database here, by LOOPSCOUT_ENGINE_URL or
queue.engine. A worker has no database of its own. For visits, it uses only the
network settings; the others come with each visit. It must have the same version
and the same network.allow as the service. Runs until SIGINT or SIGTERM; the
first signal lets running visits finish. Needs the package pg-boss.`,
    examples: ['loopscout worker', 'loopscout worker --name west --set network.localAddress=192.0.2.7'],
    load: () => import('../worker.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'serve',
    summary: 'the API and the pages over an existing database, which is only read',
    more: `Serves the directory, its history and explanations as pages and as JSON at
serve.host and serve.port. /api documents the endpoints, /openapi.json describes
them for programs. Nothing is visited or changed; a service may use the same
database. Runs until SIGINT or SIGTERM. Exits with 1 when the database file is
moved, deleted, replaced or damaged.`,
    examples: ['loopscout serve', 'loopscout serve --set serve.port=8081'],
    load: () => import('../serve.ts'),
  },
  {
    name: 'health',
    summary: 'show the health of the running service; exit 1 when it does not respond or is failing',
    more: `Requests GET /health from the service at serve.host and serve.port. Container
health checks and monitors use the exit code.

Exit code: 0; 1 when no service answers there, or when it is failing.`,
    examples: ['loopscout health', 'loopscout health --json --set serve.port=8081'],
    load: () => import('../health.ts'),
  },
  {
    name: 'add',
    argument: ['<domain...>', 'the domains to enter and visit'],
    summary: 'enter domains, visit them now, and report whether they are listed',
    more: `Earlier failures are cleared: a dead domain starts again. If a service on the
same database is visiting a domain, waits up to a minute for that visit and
shows it. After its own visits it also exports; visits of the service are
exported by the service.

Exit code: 1 when a domain has opted out or was not visited, or the export
failed; 2 for a usage or settings error; otherwise 0.`,
    examples: ['loopscout add loops.example', 'loopscout add loops.example videos.example --json'],
    load: () => import('../add.ts'),
  },
  {
    name: 'forget',
    argument: ['<domain...>', 'the domains to opt out'],
    summary: 'opt domains out permanently, and purge their data',
    more: `For owners who ask for it. The domains are never visited again, even if they
were unknown, no source brings them back, and no command undoes it. A host is
covered at every port, with and without www.; a host with a port, at that port.
All their stored data is purged, and the exported files are rewritten without
them. Repeating the command only exports again. If the guard of export refuses
the new files, the exit code is 1 and the domains stay published until a later
export.`,
    examples: ['loopscout forget loops.example', 'loopscout forget loops.example:8443 videos.example'],
    load: () => import('../forget.ts'),
  },
];
