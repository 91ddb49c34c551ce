import type { Run } from './command.ts';
import type { CommandEntry } from './command-entry.ts';

/** What the command line says of `check`. */
export const checkEntry: CommandEntry = {
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
};
