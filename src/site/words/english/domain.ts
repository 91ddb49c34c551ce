import type { DomainState } from '../../../model/domain-record.ts';
import type { Verdict } from '../../../model/verdict.ts';

/** Why a domain is listed or not, and the search for domains. */
export const domain = {
  title: (domain: string) => `Why is ${domain} listed, or not?`,
  listed: 'Listed',
  listedAsDown: 'Listed as down',
  unlisted: 'Not listed',
  toInstance: 'Its page in the directory',
  toJson: 'The same as JSON',
  whatWouldChange: 'What would change this',
  nothingMissing: 'Nothing needs to change: it is listed, and its last visit succeeded.',
  glance: 'At a glance',
  state: 'State',
  states: {
    new: 'new',
    active: 'up',
    failing: 'down',
    dead: 'dead',
    gone: 'gone',
    'opted-out': 'opted out',
  } satisfies Record<DomainState | 'opted-out', string>,
  since: (time: string) => `since ${time}`,
  lastVisit: 'Last visit',
  lastSeen: 'Last answer',
  never: 'never',
  known: 'Known since',
  hosting: 'Where it is',
  behind: (network: string) => `behind ${network}, so its country is unknown`,
  nextVisit: 'Next visit',
  due: 'now',
  identifiedBy: 'Identified by',
  via: { config: 'its configuration', nodeinfo: 'its NodeInfo' },
  verdicts: {
    loops: 'Loops',
    other: 'other software',
    unidentified: 'not identified',
    unreachable: 'unreachable',
    declined: 'declined',
    alias: 'redirect',
  } satisfies Record<Verdict, string>,
  visits: 'The last visits, step by step',
  noVisits: 'It was never visited.',
  stepsDeleted: 'The requests of this visit are no longer stored.',
  noSteps: 'No request was made.',
  milliseconds: (count: string) => `${count}\u00a0ms`,
  yours: {
    title: 'Is this yours?',
    textWithCheck: 'Have it checked now, or keep this crawler away.',
    text: 'You can keep this crawler away.',
    optOut: 'How to opt out',
  },
  unknown: {
    title: 'Unknown domain',
    text: (domain: string) =>
      `${domain} is not known here, or asks not to be published. A domain becomes known when a source lists it, or when a known server redirects to it.`,
  },
  /** What the search finds beside servers. */
  search: {
    lead: 'They are known and not listed; their pages say why.',
    notDomain: 'This is not a domain. Write a host name such as loops.example.',
    domains: (count: number, text: string) => `${text} other ${count === 1 ? 'domain' : 'domains'}`,
    firstDomains: 'The first other domains',
    more: 'There are more domains with this beginning: type more of it.',
    check: (domain: string) => `Check ${domain} now`,
    columns: { domain: 'Domain', verdict: 'Last visit', software: 'Software', at: 'When' },
  },
};
