import type { NoindexWay } from '../model/facts/host-facts.ts';
import { isAwaited } from '../schedule/transition.ts';
import { isNearlyNamed, quotedName, type Story, type Telling } from './explain-context.ts';
import { fromNow, lastVisitWords, softwareWords, timesFailed, unsettledWords, utc, whenWords } from './words.ts';

const ROUTES = { config: 'its configuration', discovery: 'the NodeInfo link', nodeinfo: 'NodeInfo' } as const;

/** In which ways a host was last found to ask not to be published, as a sentence; empty where that is not known. */
export function noindexWords(ways: readonly NoindexWay[] = []): string {
  const told = ways.filter((way) => way !== 'earlier').map(wayWords);
  return told.length === 0 ? '' : `Last found: ${told.join('; ')}. `;
}

function wayWords(way: Exclude<NoindexWay, 'earlier'>): string {
  if (way === 'robots') return 'robots.txt names Loopscout';
  if (way === 'nodeinfo') return 'the metadata of NodeInfo';
  const route = way.slice(0, way.indexOf('-')) as keyof typeof ROUTES;
  return `the header with ${ROUTES[route]}${way.endsWith('-error-header') ? ', which is no document' : ''}`;
}

/** Tells that a domain is not listed: the one reason, as a clause, and why at length. */
type Not = (because: string, why: string) => Telling;

/** Why a domain is in the directory, or is not. */
export function tellListing(story: Story): Telling {
  const { record, listing } = story;
  if (listing.listed) return tellListed(story);
  const not: Not = (because, why) => ({
    headline: `${record.domain} is not listed: ${because}.`,
    why,
  });
  const { now, policy } = story;
  if (isAwaited(record)) return tellAwaited(story, not);
  switch (listing.because) {
    case 'never-visited':
      return not(
        'it has not been visited yet',
        `It became known ${whenWords(record.firstSeen, now)}, and waits for its turn.`,
      );
    case 'revived':
      return tellAwaited(story, not);
    case 'dead':
      // Fewer failures than it takes: those before were forgiven when it was asked for.
      if (record.failures <= policy.deadAfterFailures)
        return not(
          'it was Loops, and counts as dead',
          [
            `It was dead or gone before, was asked for by name, and was not found: ${lastVisitWords(story)}.`,
            timesFailed(record, now),
            'Any answer brings it back.',
          ]
            .filter((part) => part !== '')
            .join(' '),
        );
      return not(
        'it was Loops, and counts as dead',
        `${timesFailed(record, now)} After more than ${policy.deadAfterFailures} in a row over more than ${policy.deadAfterDays} days a domain counts as dead. The last time: ${lastVisitWords(story)}.`,
      );
    case 'gone':
      return not(
        'it said that it is gone for good',
        `It answered 410 Gone, the word for what will not come back. Being unreachable afterwards changes nothing about that; any other answer does.`,
      );
    case 'noindex':
      return not(
        'it is Loops, and asks not to be published',
        `It sends the header "X-Robots-Tag: noindex" (or "none"), its robots.txt names Loopscout and closes the site to it, or its NodeInfo says in "metadata" that it is "private" or to "hide_in_statistics". ${noindexWords(record.host.noindexBy)}Loopscout obeys each of these until the same document was read again without it; one that fails takes nothing back. It is still visited, so that it is listed as soon as that is gone.`,
      );
    case 'same-instance':
      return not(
        `it is the same instance as ${listing.as}, which is listed in its place`,
        `What it answers names ${listing.as} as the host that it speaks for, and an instance is counted once.`,
      );
    case 'not-loops':
      return tellNotLoops(story, not);
  }
}

function tellListed(story: Story): Telling {
  const { record, now, policy } = story;
  const { domain, state, failures } = record;
  if (state === 'failing' && failures === 0)
    return {
      headline: `${domain} is listed as down; a visit was asked for.`,
      why: `Its failures count no more since it was asked for. The last visit ended like this: ${lastVisitWords(story)}.`,
    };
  if (state === 'failing') {
    const deadFrom = (record.failingSince ?? record.stateSince) + policy.deadAfterDays * DAY_MS;
    return {
      headline: `${domain} is listed as down: ${failures === 1 ? 'its last visit' : `its last ${failures} visits`} failed${nextLook(story)}.`,
      why: `${timesFailed(record, now)} The last time: ${lastVisitWords(story)}. It stays listed, with what it last said of itself, until it counts as dead: after more than ${policy.deadAfterFailures} failures in a row, and not before ${utc(deadFrom)}.`,
    };
  }
  if (record.reason === 'forbidden-address')
    return {
      headline: `${domain} is listed as down: its name leads to an address that is not public${nextLook(story)}.`,
      why: `It was found to be Loops before, and stays listed with what it said then. At its last visit it was not contacted: ${lastVisitWords(story)}.`,
    };
  if (record.verdict === 'loops')
    return {
      headline: `${domain} is listed.`,
      why: `It is Loops: ${lastVisitWords(story)}, ${record.lastVisit === null ? '' : fromNow(record.lastVisit, now)}.`,
    };
  return {
    headline: `${domain} is listed, with what it said earlier${nextLook(story)}.`,
    why: `It was found to be Loops before, and that holds. The last visit learnt nothing new: ${lastVisitWords(story)}.`,
  };
}

function tellNotLoops(story: Story, not: Not): Telling {
  const { record, target, now } = story;
  const { verdict, conclusive, aliasOf } = record;
  const past = record.onceLoops ? ' It was Loops once.' : '';
  // What was learnt last holds; a later visit that learnt nothing is told besides.
  const since = verdict === conclusive ? '' : ` The last visit learnt nothing new: ${lastVisitWords(story)}.`;
  if (conclusive === 'other') {
    const said = `Its ${record.via === 'config' ? 'configuration' : 'NodeInfo'} ${verdict === 'other' ? 'says' : 'said'} so.`;
    const { because, note } = softwareTold(story, verdict === 'other');
    return not(because, `${said}${note}${past}${since}`);
  }
  if (conclusive === 'alias') {
    const to = aliasOf ?? 'another host';
    const fate = target === null ? '' : ` ${to} is ${target.isListed ? 'listed' : 'not listed'}.`;
    return not(
      `it redirects to ${to}`,
      `Whoever redirects is not what it redirects to: ${to} is visited and judged by itself.${fate}${past}${since}`,
    );
  }
  return not(
    unsettledWords(record),
    [
      sentence(lastVisitWords(story)),
      verdict === 'unreachable' ? timesFailed(record, now) : '',
      `No visit since ${utc(record.firstSeen)} has found out what it runs.`,
    ]
      .filter((part) => part !== '')
      .join(' '),
  );
}

function softwareTold({ record, softwareId }: Story, isNow: boolean): { because: string; note: string } {
  const { software } = record;
  if (software === null || !isNearlyNamed(software, softwareId))
    return {
      because: `it ${isNow ? 'runs' : 'ran'} ${softwareWords(record, softwareId)}, which is not Loops`,
      note: '',
    };
  const name = quotedName(software);
  return {
    because: `it ${isNow ? 'calls' : 'called'} itself ${name}, and only exactly "${softwareId}" is Loops`,
    note: name.includes('␣') ? ' ␣ stands for a space.' : '',
  };
}

const DAY_MS = 86_400_000;

/** Of what is listed and in trouble, when the next look is, where that is further off than anybody would think. */
function nextLook({ record: { nextVisit }, now }: Story): string {
  return nextVisit === null || nextVisit - now <= DAY_MS ? '' : `; the next look is ${whenWords(nextVisit, now)}`;
}

function tellAwaited(story: Story, not: Not): Telling {
  return not(
    'a visit was asked for and has not ended yet',
    `What was known of it before counts no more until then. The last visit ended like this: ${lastVisitWords(story)}.`,
  );
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
