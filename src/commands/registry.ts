import type { Run } from './command.ts';

/** One verb: what `--help` says of it, and where its action is. Actions are loaded when they run, so that help is instant. */
export interface CommandEntry {
  name: string;
  /** In commander's notation: `[domain...]`. */
  argument?: readonly [form: string, description: string];
  summary: string;
  options?: readonly (readonly [form: string, description: string])[];
  load: () => Promise<{ run: Run }>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'crawl',
    argument: ['[domain...]', 'visit just these, now, whether due or not'],
    summary: 'one pass: read the sources, visit every due domain, export',
    load: () => import('./crawl.ts'),
  },
  {
    name: 'export',
    summary: 'write the datasets from the database',
    load: () => import('./export.ts'),
  },
  {
    name: 'settings',
    summary: 'show the settings in force',
    options: [['--schema', 'show the JSON Schema of the settings file instead']],
    load: () => import('./settings.ts'),
  },
  {
    name: 'reference',
    summary: 'run the reference server',
    options: [
      ['--port <port>', 'port to listen on; 0 for any free one (default: 8089, with --fleet any)'],
      [
        '--profile <profile>',
        'spec or live: the shape of the specification, or of servers met in the wild (default: spec)',
      ],
      ['--fleet <hosts>', 'run so many virtual hosts over TLS, of every kind that a crawl meets'],
    ],
    load: () => import('./reference.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'demo',
    summary: 'crawl a fleet of reference servers on this machine; needs no network',
    options: [
      ['--once', 'end when the crawl is done'],
      ['--hosts <hosts>', 'size of the fleet (default: 150)'],
    ],
    load: () => import('./demo.ts') as Promise<{ run: Run }>,
  },
];
