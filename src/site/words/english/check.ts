import type { Severity } from '../../../report/severity.ts';

export const check = {
  title: 'Check a Loops server',
  titleOf: (domain: string) => `Check of ${domain}`,
  description: 'What a directory shows of a Loops server, how clients see it, and a cure for each problem.',
  lead: 'DNS, TLS, HTTP, robots.txt, configuration, NodeInfo and API of any Loops server, in at most a minute: what is wrong, and how to cure it.',
  label: 'Domain of the server',
  button: 'Check',
  again: 'Check again',
  report: 'Report with cures',
  limits:
    'A check sends at most 40 requests, all of them GET, only to public addresses, and changes nothing. Only the command line checks what needs other requests.',
  commandLine: 'The complete check, from your own machine:',
  command: (domain: string) => `loopscout check ${domain}`,
  example: 'loops.example',
  notDomain: 'This is not a domain. Write a host name such as loops.example.',
  off: 'Checks are switched off on this site.',
  revisit: {
    title: 'Check again',
    off: 'Visitors of this site cannot have a domain visited.',
    limited: 'You have asked for as many visits and checks as one address may within an hour.',
    recent: (at: string) => `It was visited within the last hour. The next visit for visitors is possible from ${at}.`,
  },
  running: {
    title: (domain: string) => `${domain} is being checked`,
    text: 'This takes some seconds, at most a minute. The page shows the report when it is ready.',
    progress: 'Progress of the check',
    seconds: (count: number, text: string) => `${text} ${count === 1 ? 'second' : 'seconds'} so far.`,
  },
  waiting: {
    title: 'Other servers are being checked',
    text: (domain: string) => `${domain} is checked next. The page tries again by itself.`,
  },
  limited: {
    title: 'Not now',
    client: 'You have started as many checks as one address may within an hour.',
    host: 'This host, its address, or other hosts of its owner were checked or contacted too often within the last hour.',
    all: 'Too many servers were checked within the last hour.',
    again: (minutes: number, formatted: string) => `Try again in ${formatted} ${minutes === 1 ? 'minute' : 'minutes'}.`,
  },
  optedOut: 'This domain cannot be checked here.',
  failed: 'The check failed here, through no fault of the server. Try again later.',
  severity: { fail: 'Fails', warn: 'Warning', info: 'Worth knowing', pass: 'Passes' } satisfies Record<
    Severity,
    string
  >,
  overall: { fail: 'Fails', warn: 'Warnings', info: 'Good', pass: 'Good' } satisfies Record<Severity, string>,
  incomplete: (why: string) => `Not every request was made: ${why}.`,
  problems: 'What to cure',
  noProblems: 'There is nothing to cure.',
  cure: 'Cure',
  noFacts: (why: string) => `Nothing: ${why}.`,
  infos: 'Worth knowing',
  passed: (count: number, formatted: string) =>
    count === 1 ? 'The check that passes' : `The ${formatted} checks that pass`,
  shared: (time: string) => `This page shows the same report until ${time}; then it starts another check.`,
  why: 'Why is it listed, or not?',
};
