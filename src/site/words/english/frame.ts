/** The frame of every page. */
export const frame = {
  language: 'en',
  name: 'Loopscout',
  skip: 'Skip to the content',
  nav: {
    label: 'Main',
    directory: 'Directory',
    stats: 'Trends',
    data: 'Data',
    crawler: 'Crawler',
    check: 'Check',
    add: 'Add',
    about: 'About',
    api: 'API',
  },
  find: { live: 'Find a server or domain', static: 'Find a server', short: 'Find a server', button: 'Find' },
  feedTitle: 'Changes of the directory (Atom)',
  jsonTitle: 'The directory (JSON)',
  links: { imprint: 'Imprint', privacy: 'Privacy', contact: 'Contact', source: 'Source code' },
  dataOf: 'Data of',
  optOut: 'Opt out',
  unknown: 'unknown',
};
