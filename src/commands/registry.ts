import type { CommandEntry } from './command.ts';

/** All commands, in the order of `--help`, which loads none of their modules. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    argument: '[dir]',
    summary: 'write crawler.config.json and seeds.txt, and crawl for the first time',
    load: () => import('./init.ts'),
  },
  {
    name: 'crawl',
    argument: '[domain...]',
    summary: 'one pass: read the sources, visit every due domain, export',
    load: () => import('./crawl.ts'),
  },
  {
    name: 'run',
    summary: 'the service: visit due domains and export changes until it is stopped',
    load: () => import('./run.ts'),
  },
  {
    name: 'worker',
    summary: 'carry out the visits of a service on another machine',
    load: () => import('./worker.ts'),
  },
  {
    name: 'serve',
    summary: 'the API and the pages over an existing database, which is only read',
    load: () => import('./serve.ts'),
  },
  {
    name: 'health',
    summary: 'show the health of the running service; exit 1 when it does not respond or is failing',
    load: () => import('./health.ts'),
  },
  {
    name: 'add',
    argument: '<domain...>',
    summary: 'enter domains, visit them now, and report whether they are listed',
    load: () => import('./add.ts'),
  },
  {
    name: 'forget',
    argument: '<domain...>',
    summary: 'opt domains out permanently, and purge their data',
    load: () => import('./forget.ts'),
  },
  {
    name: 'explain',
    argument: '<domain>',
    summary: 'why a domain is listed or not, from the database',
    load: () => import('./explain.ts'),
  },
  {
    name: 'sources',
    argument: '[source]',
    summary: 'the results of each source: last run, domains, Loops servers',
    load: () => import('./sources.ts'),
  },
  {
    name: 'compare',
    argument: '<source>',
    summary: "domains a source lists that we don't, and the reverse, each with our reason",
    load: () => import('./compare.ts'),
  },
  {
    name: 'export',
    summary: 'write the datasets, and a static site, from the database',
    load: () => import('./export.ts'),
  },
  {
    name: 'diff',
    argument: '<directories...>',
    summary: 'what changed between two published directories',
    load: () => import('./diff.ts'),
  },
  {
    name: 'backup',
    argument: '<file>',
    summary: 'a consistent copy of the database, even while a service is using it',
    load: () => import('./backup.ts'),
  },
  { name: 'replay', summary: "run today's parsers over every stored document", load: () => import('./replay.ts') },
  { name: 'settings', summary: 'show the settings in force', load: () => import('./settings.ts') },
  {
    name: 'check',
    argument: '[domain]',
    summary: 'report what is wrong with a server and how to fix it, for its operator',
    load: () => import('./check.ts'),
  },
  {
    name: 'conform',
    argument: '[url]',
    summary: 'test a server or a client against the specification of the Loops interface, clause by clause',
    load: () => import('./conform.ts'),
  },
  {
    name: 'reference',
    summary: 'run a Loops server to test clients and crawlers against, or a fleet of them',
    load: () => import('./reference.ts'),
  },
  {
    name: 'demo',
    summary: 'the service over a fleet of reference servers on this machine; needs no network',
    load: () => import('./demo.ts'),
  },
];
