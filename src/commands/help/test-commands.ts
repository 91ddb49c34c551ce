import type { CommandEntry, Run } from '../command.ts';

/** Checks and test servers, without a database. */
export const TEST_COMMANDS: readonly CommandEntry[] = [
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
The only requests other than GET are harmless: a CORS preflight, empty JSON
objects posted to OAuth, to the registration of apps and to the shared inbox
(not with --skip federation-inbox), and the headers of an upload without a body
(not with --skip http-upload-limit).

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
settings error; 3 when this machine is offline, so that nothing was checked.`,
    examples: [
      'loopscout check loops.example',
      'loopscout check loops.example --only tls,dns --quiet',
      'loopscout check loops.example --junit check.xml --badge check.svg',
      'loopscout check loops.example --watch',
      'loopscout check http://127.0.0.1:8089',
    ],
    load: () => import('../check.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'conform',
    argument: ['[url]', 'the base URL of the server: https://loops.example, http://127.0.0.1:8089'],
    summary: 'test a server or a client against the specification of the Loops interface, clause by clause',
    options: [
      ['--profile <profile>', 'spec, or live: with the known differences of live servers (default: spec)'],
      ['--level <level>', 'must, should or may: the lowest level whose violation is a failure (default: must)'],
      ['--only <list>', 'test only these clauses: ids, beginnings of ids, or sections, such as config,2.7'],
      ['--write', 'register an app, get tokens for it and revoke them'],
      ['--apps <number>', 'with --username: 2 registers a second app, for what one cannot show (default: 1)'],
      ['--username <name>', 'with --write: sign in as this user and approve the app'],
      ['--password <password>', 'the password of the user; better in the variable LOOPSCOUT_PASSWORD'],
      ['--approve-button <text>', 'the text of the button that approves, on pages in another language than English'],
      ['--token <token>', 'a token with the scope read; better in the variable LOOPSCOUT_TOKEN'],
      ['--video <id>', 'the id of a public video on the server'],
      ['--expected <file>', 'JSON file of known failures: clause ids with a comment each'],
      ['--out <folder>', 'write results.json, report.html, junit.xml and requests.har'],
      ['--rate <requests>', 'requests per minute (default: 55; no limit for a server on this machine)'],
      ['--timeout <seconds>', 'maximum time of one request (default: 5)'],
      ['--quiet', 'print only what is wrong'],
      ['--list', 'list the clauses'],
      ['--dry-run', 'list the requests that would be sent'],
      ['--client', 'test a client: serve scenarios on this machine, and judge what the client sends'],
      ['--scenario <names...>', 'with --client: only these scenarios'],
      ['--command <command>', 'with --client: operate the client by this shell command, which may contain {url}'],
      ['--exit-code', 'with --command: exit code 0 says that the client takes the server for a Loops server'],
      ['--for <seconds>', 'with --client: the time for one scenario (default: 60 for a command)'],
      ['--pages', 'with --client: show the consent pages instead of approving each request'],
      ['--tls', 'with --client: serve https, with an authority of its own'],
      ['--name <host>', 'with --client: the host in the URL, which the client must resolve to 127.0.0.1'],
    ],
    more: `Sends requests to one server and judges the answers by the clauses of the
specification and of the RFCs behind it. Without --write nothing changes on the
server: the requests other than GET are refused by a server that conforms. With
--write, one app is registered, and each token that it gets is revoked.

Each clause passes, fails, gets a warning, is not shown by this server, or is
skipped because an option or an earlier answer is missing. A failure quotes the
clause, the request, the answer, and a curl command. Secrets are removed from
all output. Only the server of the URL is contacted, and redirects are not
followed, except between its pages for --username. To trust an authority of your
own, set NODE_EXTRA_CA_CERTS.

With --client, a server is started on this machine for each scenario: a denied
request, an expired code, a revoked token, a wrong state, slow answers, 429, and
others. Do with the client what the scenario says and press Enter, or give
--command. Its placeholders: {url}, {domain}, {ca}, {video} and {scenario}.

In a GitHub job, the results are added to the summary of the job.

Exit code: 0; 1 when a clause that --expected does not name fails or depends on
a request that is not answered, or one that it names passes; 2 for a usage
error; 3 when the server cannot be reached, the client sends no request or
cannot be run, no clause can be decided, or the run was interrupted.`,
    examples: [
      'loopscout conform https://loops.example --profile live',
      'loopscout conform http://127.0.0.1:8089 --only 2.5,nodeinfo',
      'loopscout conform http://127.0.0.1:8089 --write --username ada --out results',
      'loopscout conform --list',
      "loopscout conform --client --command './connect.sh {url}'",
    ],
    load: () => import('../conform.ts') as Promise<{ run: Run }>,
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
      ['--seed <number>', 'the same seed gives the same accounts, videos, tokens and hosts (default: 1)'],
      ['--options <file>', 'JSON file with options of the library: config, faults, delayMs, accounts, ...'],
      ['--url <url>', 'public base URL, for a server in a container or behind a proxy'],
      [
        '--control <port>',
        'a port that shows the requests, resets, and changes faults, state and clock; 0: any free one',
      ],
      ['--control-token <token>', 'what requests to the control must have as bearer token (default: a random one)'],
      ['--until-stdin-ends', 'end also when the standard input ends, as when the program that started this one dies'],
      ['--fleet <hosts>', 'run this many virtual hosts of every kind over TLS, or the hosts of a fleet file'],
    ],
    more: `Serves the whole Loops interface on this machine until it is interrupted: OAuth
with consent pages, registration of apps, account, video, config and NodeInfo;
with seeded accounts and videos, and with faults on demand. Needs no network.
Prints its URL, the accounts and requests to paste. With the default --seed,
sign in as ada with the password delta-marble-otter-4832.`,
    examples: [
      'loopscout reference',
      'loopscout reference --profile live --tls --database kept.sqlite',
      'loopscout reference --options options.json --json',
      'loopscout reference --port 0 --json --control 0 --until-stdin-ends',
      'loopscout reference --fleet 300',
    ],
    load: () => import('../reference.ts') as Promise<{ run: Run }>,
  },
  {
    name: 'demo',
    summary: 'the service over a fleet of reference servers on this machine; needs no network',
    options: [
      ['--once', 'crawl the fleet once, without a past, and end; its folder stays'],
      ['--hosts <hosts>', 'size of the fleet (default: 240)'],
    ],
    more: `Starts a fleet with every kind of host, invents and records a past year for it,
crawls it, compares each verdict with what the fleet expects, prints one URL,
and keeps crawling until Ctrl-C, which removes the folder of the demo.`,
    examples: ['loopscout demo', 'loopscout demo --once --hosts 500'],
    load: () => import('../demo.ts') as Promise<{ run: Run }>,
  },
];
