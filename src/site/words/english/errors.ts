export interface ErrorWords {
  title: string;
  advice: string;
}

export const errors = {
  toDirectory: 'To the directory',
  noPage: 'The list has fewer pages.',
  noMeasure: 'stats.csv has no such measure.',
  noneOpen: 'No server can be recommended at the moment; the directory says why.',
  byStatus: {
    400: { title: 'This request cannot be read', advice: 'Correct the address, or start from the directory.' },
    404: { title: 'There is no such page', advice: 'It may have moved, or the domain is not known here.' },
    405: { title: 'This page cannot be written to', advice: 'It can only be read.' },
    429: { title: 'Too many requests', advice: 'Wait a minute, then load this page again.' },
    500: { title: 'Something went wrong here', advice: 'The fault is logged. Try again later.' },
    503: {
      title: 'The directory is being read',
      advice: 'This takes a few seconds after a start. Load this page again.',
    },
  } as Readonly<Record<number, ErrorWords>>,
  other: { title: 'This page cannot be shown', advice: 'Start from the directory.' } as ErrorWords,
};
