import type { Run } from './command.ts';
import type { CommandEntry } from './command-entry.ts';

/** What `--help` says of the reference server. */
export const REFERENCE_COMMAND: CommandEntry = {
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
};
