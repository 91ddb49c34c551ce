import { z } from 'zod';

/** Every flag and what it says. None of them keeps an instance from being listed. The one place where the words are defined. */
export const INSTANCE_FLAGS = {
  'app-url-mismatch': 'app.url in the configuration names another host than the one that serves it',
  'version-mismatch': 'configuration and NodeInfo give different versions',
  'software-mismatch': 'configuration and NodeInfo name different software',
  'registration-mismatch': 'configuration and NodeInfo disagree on whether registration is open',
  'nodeinfo-other-host': 'the NodeInfo document is on another host',
  'nodeinfo-http-href': 'the link to NodeInfo is plain http, not https',
  'nodeinfo-unavailable': 'federation is not said to be off, and yet NodeInfo could not be read',
  'wrong-type-field': 'a field is of the wrong type, and what it should say is unknown',
  'users-jump': 'the number of users grew or shrank more than tenfold, and by more than a thousand, within a week',
  'users-without-posts': 'more than a thousand users, and not one post',
  'counts-contradict': 'more active users than users, or more in a month than in half a year',
  'counts-random':
    'the counts leap up and down from visit to visit, as of servers that answer with random ones on purpose',
  'counts-absurd': 'a count is larger than any server of the service can have',
  'crowded-domain': 'many listed instances share its registrable domain',
  outdated: 'its version is older than the newest one known',
  'stale-facts': 'some of what is shown was not read for a long time',
} as const;

/** What is odd about an instance without making it any less an instance, each word explained in {@link INSTANCE_FLAGS}. */
export type InstanceFlag = keyof typeof INSTANCE_FLAGS;
export const InstanceFlag = z.enum(Object.keys(INSTANCE_FLAGS) as [InstanceFlag, ...InstanceFlag[]]);
