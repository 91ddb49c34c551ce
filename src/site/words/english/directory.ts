import type { Order } from '../../../directory/browse/choice.ts';
import type { VersionAge } from '../../../directory/browse/filter-values.ts';
import type { Registration } from '../../../directory/browse/registration.ts';
import type { Joinability } from '../../../directory/joinability.ts';
import type { Minimum } from '../../../directory/measures.ts';
import { byKey, FEATURES } from '../../../model/facts/fact-leaves.ts';

/** The directory, its filters and the cards of instances. */
export const directory = {
  title: 'Find a home on Loops',
  description:
    'All known servers of Loops, the federated short-video service: who can join, versions, features, limits and uptime.',
  lead: 'Loops is made of many independent servers that talk to each other: an account on one reaches people on all.',
  leadOrder: 'Choose any that you like; the order below is shuffled every day, so that no server is preferred.',
  facetTitle: (filter: string) => `Servers: ${filter}`,
  facetDescription: (count: number, text: string, filter: string) =>
    `${text} ${count === 1 ? 'server' : 'servers'} of Loops: ${filter}.`,
  join: {
    live: (count: number, text: string) =>
      count === 1 ? `Join the ${text} that we recommend` : `Join one of ${text} at random`,
    static: (count: number, text: string) =>
      count === 1 ? `Join the ${text} that we recommend` : `Join one of ${text}, another each day`,
    note: 'Open to all, up, not outdated, and with a good uptime in the last 30 days.',
    fresh: (count: number, text: string) =>
      count === 1
        ? `Of ${text} of them, too little was observed to tell its uptime.`
        : `Of ${text} of them, too little was observed to tell their uptime.`,
    none: 'No server can be recommended at the moment:',
    /** Why one is recommended or not. */
    reasons: {
      proven: 'open to all, up, not outdated, and up almost all the time in the last 30 days',
      new: 'open to all, up and not outdated; too little of the last 30 days was observed to tell its uptime',
      down: 'it is down',
      closed: 'registration is closed',
      approval: 'registration needs approval',
      'registration-unknown': 'it does not say who can join',
      unconfirmed: 'its last visit failed',
      outdated: 'it runs an older version than the newest one',
      unreliable: 'it was down for more than 5% of the last 30 days',
    } satisfies Record<Joinability, string>,
  },
  /** On the front page of a directory that is new, or whose crawler is offline. */
  notice: {
    newTitle: 'This directory is new',
    offlineTitle: 'The crawler is offline',
    offlineSince: (since: string) => `This machine has had no connection since ${since}.`,
    offline: 'Nothing is visited, and no failure is recorded until it is back. What is shown may be old.',
    known: (domains: string) => `${domains} domains are known.`,
    waiting: (waiting: string) => `${waiting} of them wait for their first visit.`,
    phases: {
      reading:
        'Lists of domains are being read. The first domains are visited as soon as they are known; servers appear here within minutes.',
      visiting:
        'They are being visited now, those that a source calls Loops first: each server appears here within a minute of its visit.',
      done: 'All of them were visited. More domains come each time the sources are read.',
    },
    pace: (duration: string) => `At the pace of the last hour, all are visited in about ${duration}.`,
    more: 'What the crawler does now',
  },
  totals: {
    label: 'Totals',
    instances: 'servers',
    up: (up: string, down: string) => `${up} up, ${down} down`,
    users: 'users',
    posts: 'posts',
    open: 'open to all',
    openOf: (known: string, all: string) => `${known} of ${all} say who can join`,
  },
  results: {
    title: 'Servers',
    found: (count: number, text: string, all: string) => `${text} ${count === 1 ? 'server' : 'servers'} of ${all}`,
    all: (count: number, text: string) => `${text} ${count === 1 ? 'server' : 'servers'}`,
    up: (up: string) => `${up} up`,
    hideDown: (down: string) => `hide ${down} down`,
    none: 'No server matches all filters',
    without: (filter: string, count: number, text: string) =>
      `Drop ${filter}: ${text} ${count === 1 ? 'server' : 'servers'}`,
    clear: 'Clear all filters',
    remove: 'Remove the filter',
    empty: 'No server is listed yet. Each appears here as soon as a visit finds that it runs Loops.',
    failed: 'The filters could not be loaded. Reload this page, or use one filter at a time.',
    searched: (text: string) => `“${text}”`,
    unknownKey: (key: string, known: string) => `There is no filter “${key}”. There are: ${known}.`,
    unknownValue: (key: string, value: string, known: string) =>
      `The filter “${key}” has no value “${value}”. It has: ${known}.`,
  },
  views: { label: 'Show as', cards: 'Cards', table: 'Table' },
  form: { order: 'Order', submit: 'Apply' },
  order: {
    fair: 'Fair: shuffled daily',
    name: 'Domain, A to Z',
    newest: 'Recently discovered first',
    version: 'Newest version first',
    uptime: 'Highest uptime first',
    users: 'Most users first',
    posts: 'Most posts first',
    size: 'Largest uploads first',
    length: 'Longest videos first',
    growth: 'Most users gained first',
    oldest: 'Longest known first',
  } satisfies Record<Order, string>,
  filters: {
    title: 'Filters',
    chosen: (count: string) => `${count} chosen`,
    registration: 'Who can join',
    standing: 'Up to date',
    version: 'Version',
    country: 'Country',
    network: 'Network',
    feature: 'Features',
    status: 'Status',
    'maxVideoSizeMB.min': 'Uploads of at least',
    'maxVideoDurationSeconds.min': 'Videos of at least',
    'ageDays.min': 'Known for at least',
    'growth.min': 'Users gained in 30 days',
    show: (count: number, text: string) => `Show ${text} ${count === 1 ? 'server' : 'servers'}`,
    unknown: (count: string) => `Unknown: ${count}`,
    standings: 'Behind: one or two releases older than the newest. Far behind: three or more.',
    others: {
      version: (count: string) => `Other versions: ${count}`,
      country: (count: string) => `Other countries: ${count}`,
      network: (count: string) => `Other networks: ${count}`,
    },
    unknownFeatures: (count: string) => `Unknown: ${count} report no features`,
    unknownStatus: 'Unknown: none, each server was visited',
  },
  /** As the names of filters outside their groups. */
  atLeast: {
    'maxVideoSizeMB.min': (size: string) => `uploads of at least ${size}`,
    'maxVideoDurationSeconds.min': (length: string) => `videos of at least ${length}`,
    'ageDays.min': (age: string) => `known for at least ${age}`,
    'growth.min': (users: string) => `${users} users or more in 30 days`,
  } satisfies Record<Minimum, (value: string) => string>,
  registration: {
    open: 'Open',
    approval: 'By approval',
    closed: 'Closed',
    unknown: 'Unknown',
  } satisfies Record<Registration, string>,
  /** As the name of a filter outside its group. */
  registrationFilter: {
    open: 'open to all',
    approval: 'by approval',
    closed: 'closed',
    unknown: 'registration unknown',
  } satisfies Record<Registration, string>,
  mode: (mode: string) => `mode ${mode}`,
  standing: {
    current: 'Newest version',
    behind: 'Behind',
    'far-behind': 'Far behind',
    unknown: 'Unknown',
  } satisfies Record<VersionAge, string>,
  standingFilter: {
    current: 'newest version',
    behind: 'one or two releases behind',
    'far-behind': 'three or more releases behind',
    unknown: 'version unknown',
  } satisfies Record<VersionAge, string>,
  standingTag: {
    current: 'newest',
    behind: 'behind',
    'far-behind': 'far behind',
    unknown: '',
  } satisfies Record<VersionAge, string>,
  features: byKey(FEATURES, ({ meta: { label = '' } }) => label.charAt(0).toUpperCase() + label.slice(1)),
  status: { up: 'Up', down: 'Down' },
  downTag: (lastUp: string) => `Down, last up ${lastUp}`,
  statusFilter: { up: 'up', down: 'down' },
  version: (version: string) => `Version ${version}`,
  noVersion: 'Version unknown',
  pages: {
    label: 'Pages',
    previous: 'Previous',
    next: 'Next',
    of: (page: string, pages: string) => `Page ${page} of ${pages}`,
  },
  card: {
    nameless: 'It gives no name',
    users: 'users',
    posts: 'posts',
    uptime: 'uptime, 30 days',
    features: 'Features',
    growth: (change: string) => `${change} in 30 days`,
    videos: (limits: string) => `Videos up to ${limits}`,
    since: (date: string) => `Known since ${date}`,
    visit: 'Visit',
    unknown: 'unknown',
  },
  table: {
    caption: 'Servers with who can join, version, usage, uptime and limits',
    instance: 'Server',
    registration: 'Who can join',
    version: 'Version',
    users: 'Users',
    growth: 'Gained in 30 days',
    posts: 'Posts',
    uptime: 'Uptime, 30 days',
    size: 'Largest upload',
    length: 'Longest video',
    since: 'Known since',
  },
};
