/** What the estimate of the population takes for granted, a sentence each, with what follows where it is wrong. */
export const assumptions: readonly string[] = [
  'What is estimated is the number of servers that would be listed here if they were known: servers that no source could ever list, such as those that have never been in touch with another, are not in it.',
  'The sources find servers independently of one another. Near copies of which the other sources show that they are some count as one. Where one copies a part of another, or both draw on a third, they agree more than chance would have it, and the estimate is too low; where sources share the servers out among themselves, such as by language, it is too high.',
  'Sources may differ in size, but for each source every server is as likely as any other to be on it. Well-known servers are on more lists than others in truth, which makes the estimate a lower bound.',
  'A server counts as listed by a source once that source has ever listed it; sources that are no longer read do not count. Servers come and go, so that sources read long apart have less in common than they would have on one day, which makes the estimate too high.',
  'The interval covers chance alone, and none of the above.',
];
