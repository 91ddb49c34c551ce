import type { CommandEntry } from './command.ts';

const MODULES = {
  init: () => import('./init.ts'),
  crawl: () => import('./crawl.ts'),
  run: () => import('./run.ts'),
  worker: () => import('./worker.ts'),
  serve: () => import('./serve.ts'),
  health: () => import('./health.ts'),
  add: () => import('./add.ts'),
  forget: () => import('./forget.ts'),
  explain: () => import('./explain.ts'),
  sources: () => import('./sources.ts'),
  compare: () => import('./compare.ts'),
  export: () => import('./export.ts'),
  diff: () => import('./diff.ts'),
  backup: () => import('./backup.ts'),
  replay: () => import('./replay.ts'),
  settings: () => import('./settings.ts'),
  check: () => import('./check.ts'),
  conform: () => import('./conform.ts'),
  reference: () => import('./reference.ts'),
  demo: () => import('./demo.ts'),
};

/** The argument of each command, if it has one, in commander's notation, and its summary; in the order of `--help`. */
const SUMMARIES: Readonly<Record<keyof typeof MODULES, readonly [argument: string | null, summary: string]>> = {
  init: ['[dir]', 'write crawler.config.json and seeds.txt, and crawl for the first time'],
  crawl: ['[domain...]', 'one pass: read the sources, visit every due domain, export'],
  run: [null, 'the service: visit due domains and export changes until it is stopped'],
  worker: [null, 'carry out the visits of a service on another machine'],
  serve: [null, 'the API and the pages over an existing database, which is only read'],
  health: [null, 'show the health of the running service; exit 1 when it does not respond or is failing'],
  add: ['<domain...>', 'enter domains, visit them now, and report whether they are listed'],
  forget: ['<domain...>', 'opt domains out permanently, and purge their data'],
  explain: ['<domain>', 'why a domain is listed or not, from the database'],
  sources: ['[source]', 'the results of each source: last run, domains, Loops servers'],
  compare: ['<source>', "domains a source lists that we don't, and the reverse, each with our reason"],
  export: [null, 'write the datasets, and a static site, from the database'],
  diff: ['<directories...>', 'what changed between two published directories'],
  backup: ['<file>', 'a consistent copy of the database, even while a service is using it'],
  replay: [null, "run today's parsers over every stored document"],
  settings: [null, 'show the settings in force'],
  check: ['[domain]', 'report what is wrong with a server and how to fix it, for its operator'],
  conform: ['[url]', 'test a server or a client against the specification of the Loops interface, clause by clause'],
  reference: [null, 'run a Loops server to test clients and crawlers against, or a fleet of them'],
  demo: [null, 'the service over a fleet of reference servers on this machine; needs no network'],
};

/** All commands; `--help` loads none of their modules. */
export const COMMANDS: readonly CommandEntry[] = Object.entries(MODULES).map(([name, load]) => {
  const [argument, summary] = SUMMARIES[name as keyof typeof MODULES];
  return { name, argument, summary, load };
});
