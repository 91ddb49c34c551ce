import type { CommandEntry } from './command.ts';

type Row = readonly [argument: string | null, summary: string, load: CommandEntry['load']];

/** The argument of each command, if it has one, in commander's notation, its summary and its module; in the order of `--help`. */
const TABLE: Readonly<Record<string, Row>> = {
  init: ['[dir]', 'write crawler.config.json and seeds.txt, and crawl for the first time', () => import('./init.ts')],
  crawl: ['[domain...]', 'one pass: read the sources, visit every due domain, export', () => import('./crawl.ts')],
  run: [null, 'the service: visit due domains and export changes until it is stopped', () => import('./run.ts')],
  worker: [null, 'carry out the visits of a service on another machine', () => import('./worker.ts')],
  serve: [null, 'the API and the pages over an existing database, which is only read', () => import('./serve.ts')],
  health: [
    null,
    'show the health of the running service; exit 1 when it does not respond or is failing',
    () => import('./health.ts'),
  ],
  add: ['<domain...>', 'enter domains, visit them now, and report whether they are listed', () => import('./add.ts')],
  forget: ['<domain...>', 'opt domains out permanently, and purge their data', () => import('./forget.ts')],
  explain: ['<domain>', 'why a domain is listed or not, from the database', () => import('./explain.ts')],
  sources: ['[source]', 'the results of each source: last run, domains, Loops servers', () => import('./sources.ts')],
  compare: [
    '<source>',
    "domains a source lists that we don't, and the reverse, each with our reason",
    () => import('./compare.ts'),
  ],
  export: [null, 'write the datasets, and a static site, from the database', () => import('./export.ts')],
  diff: ['<directories...>', 'what changed between two published directories', () => import('./diff.ts')],
  backup: [
    '<file>',
    'a consistent copy of the database, even while a service is using it',
    () => import('./backup.ts'),
  ],
  replay: [null, "run today's parsers over every stored document", () => import('./replay.ts')],
  settings: [null, 'show the settings in force', () => import('./settings.ts')],
  check: [
    '[domain]',
    'report what is wrong with a server and how to fix it, for its operator',
    () => import('./check.ts'),
  ],
  conform: [
    '[url]',
    'test a server or a client against the specification of the Loops interface, clause by clause',
    () => import('./conform.ts'),
  ],
  reference: [
    null,
    'run a Loops server to test clients and crawlers against, or a fleet of them',
    () => import('./reference.ts'),
  ],
  demo: [
    null,
    'the service over a fleet of reference servers on this machine; needs no network',
    () => import('./demo.ts'),
  ],
};

/** All commands; `--help` loads none of their modules. */
export const COMMANDS: readonly CommandEntry[] = Object.entries(TABLE).map(([name, [argument, summary, load]]) => ({
  name,
  argument,
  summary,
  load,
}));
