/** The directory, its filters and the cards of instances. */
export const directory = {
  title: 'Find a home on Loops',
  description:
    'All known servers of Loops, the federated short-video service: open ones, their versions, features and limits.',
  lead: (count: string) =>
    `Loops is made of many independent servers that talk to each other. Here are all ${count} that we know.`,
  instances: 'Instances',
  noInstances: 'No instance is listed yet. The crawler adds them as soon as it finds them.',
  pages: {
    label: 'Pages',
    previous: 'Previous',
    next: 'Next',
    of: (page: string, pages: string) => `Page ${page} of ${pages}`,
  },
  nameless: 'Nameless instance',
  users: 'users',
  posts: 'posts',
  uptime: 'up in 30 days',
  since: (date: string) => `Known since ${date}`,
  down: 'Down',
  version: (version: string) => `Version ${version}`,
  registration: { open: 'Open', limited: 'By approval', closed: 'Closed', unknown: 'Unknown' },
};
