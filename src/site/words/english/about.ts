import type { About } from '../../../directory/about.ts';
import type { IntervalName } from '../../../model/cadence.ts';

/** What the crawler is and does, for operators of visited servers. */
export const about = {
  title: 'About this crawler',
  description: 'Who visits your server, what it requests, how often, what it stores, and how to keep it away.',
  lead: (version: string) =>
    `Loopscout ${version} finds the servers of Loops, the federated short-video service, identifies each one and its features, and publishes a directory. It reads no posts, follows nobody, and scans no ports.`,
  recognise: {
    title: 'How to recognise it',
    userAgent: 'Its user agent is',
    contact: 'Contact:',
  },
  requests: {
    title: 'What it requests',
    paths: {
      before: 'A visit requests',
      and: 'and, if needed,',
      after: 'and the NodeInfo document that it links to.',
    },
    listed: { before: 'A server that reports the software', after: 'is listed.' },
    limits: (seconds: string, kib: string) =>
      `A visit takes at most ${seconds} s and reads at most ${kib} KiB of each response.`,
  },
  often: {
    title: 'How often',
    after: 'After a visit',
    wait: 'the next one is due after',
    /** Each completes the phrase "After a visit". */
    intervals: {
      loopsHours: 'that found a Loops server',
      confirmMinutes: 'that failed, to a server that was up',
      downFirstDayHours: 'to a server that is down, on the first day',
      downHours: 'to a server that is down for longer, or answers but cannot be identified',
      declinedInstanceHours: 'that a server declined, unless it sent Retry-After',
      deadInstanceHours: 'to a server that has not answered for more than a week, for 90 days',
      otherHours: 'that found other software',
      unidentifiedHours: 'that was inconclusive',
      aliasHours: 'that led to another host',
      timeoutHours: 'that timed out',
      serverErrorHours: 'that got a server error',
      connectHours: 'to a host that refused the connection or was unreachable',
      tlsHours: 'that failed in TLS, for example because of an expired certificate',
      dnsFailureHours: 'to a name whose DNS servers did not answer',
      nxdomainHours: 'to a name that does not exist',
      robotsHours: 'that robots.txt forbade',
      rateLimitedHours: 'that was answered 429 Too Many Requests, at least',
      goneHours: 'that was answered 410 Gone',
      forbiddenAddressHours: 'to a name with an address that is not public',
      deadHours: 'to any other host that has not answered for a long time',
    } satisfies Record<IntervalName, string>,
    doubled: (first: string, longest: string) => `${first}, doubled each time, up to ${longest}`,
    jitter: (share: string, longest: string) =>
      `Each wait is randomly up to ${share} longer or shorter. A longer Retry-After is obeyed, up to ${longest}.`,
    perSecond: (limit: string) => `Visits started per second: ${limit}.`,
    perAddress: (limit: string) => `Concurrent visits per address: ${limit}.`,
    perDomain: (limit: string) => `Concurrent visits per registrable domain: ${limit}.`,
    unlimited: 'any number',
    atMost: (limit: string) => `at most ${limit}`,
    minutes: (count: string) => `${count} minutes`,
    oneHour: '1 hour',
    hours: (count: string) => `${count} hours`,
    days: (count: string) => `${count} days`,
  },
  stores: {
    title: 'What it stores',
    facts:
      'The facts that a server publishes: name, description, version, features, limits and counts, and all their changes, permanently. No personal data is requested.',
    visits: (visits: string, requests: string, documents: string) =>
      `Each visit with its outcome for ${visits} days, its requests for ${requests} days, and the documents received for ${documents} days, the last ones for as long as the domain is known.`,
    files:
      'The monthly files of visits and counts stay after the data behind them is deleted, without the rows of domains that have since opted out or ask not to be published.',
  },
  away: {
    title: 'How to keep it away',
    robots: {
      standard:
        'A robots.txt group that names it is obeyed for everything. The group for all crawlers (*) is obeyed for everything except /api/v1/config, which Loops publishes for exactly this use.',
      strict: 'Your robots.txt is obeyed for everything, whether a group names this crawler or all crawlers (*).',
      off: 'This crawler visits the servers of its own operator and does not read robots.txt.',
    } satisfies Record<About['robots'], string>,
    block: 'To block it completely, add this to your robots.txt, which is cached for a day:',
    noindex: {
      before: 'A server that sends',
      after: 'is published neither here nor in the files, until the same document is read again without it.',
    },
    write: {
      before: 'Or write to',
      after: 'an opt-out is permanent, purges the stored data, and holds even if somebody submits the domain again.',
    },
    optOuts: (count: string) => `Only the number of opt-outs is published, ${count} so far.`,
  },
  number: {
    title: 'How many servers are there?',
    text: 'There is no complete list of servers. A lower limit, “n known of at least N”, is estimated from the overlap of the sources by capture-recapture (Chao 1987) if at least half of their entries are on another source too, and published with that overlap as population in /api/v1/stats.',
  },
  listed: {
    title: 'Why is my server listed, or not?',
    text: 'Every known domain has a page that explains why, what would change that, and how the last visits went. The search at the top of each page leads to it.',
    check: 'Check my server',
  },
};
