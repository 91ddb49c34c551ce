export const charts = {
  pointed: 'The latest value, or the one pointed at',
  range: 'Time shown in all charts of this page',
  ranges: { 30: '30 days', 90: '90 days', 365: '1 year', all: 'All' },
  none: 'Nothing is known about this yet.',
  onePoint: (what: string, value: string, date: string) => `${what}: ${value} on ${date}, the only known value so far.`,
  text: (
    what: string,
    first: string,
    firstDate: string,
    last: string,
    lastDate: string,
    most: string,
    mostDate: string,
  ) =>
    `${what}: ${first} on ${firstDate}, ${last} on ${lastDate}, at most ${most} on ${mostDate}. Gaps are times without a known value.`,
  /** The parts of a whole, on the first and the last day. */
  parts: (what: string, first: string, firstDate: string, last: string, lastDate: string) =>
    `${what}. On ${firstDate}: ${first}. On ${lastDate}: ${last}. Gaps are times without a known value.`,
  young: (date: string) =>
    `The record begins on ${date}. Charts have one bar per day at first, and become lines after two weeks.`,
};
