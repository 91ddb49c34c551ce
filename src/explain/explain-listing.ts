import { isNeitherSuccessNorFailure } from '../crawl/schedule/after-visit.ts';
import { earliestDeath, hasPendingRequest } from '../crawl/schedule/transition.ts';
import type { NoindexSignal } from '../model/facts/host-facts.ts';
import { isUnconfirmed } from '../model/instance-record.ts';
import { quotedName } from '../model/text/quoted-name.ts';
import { DAY_MS, utcText } from '../model/time.ts';
import { type ExplainContext, isSimilarName, type ListingExplanation } from './explain-context.ts';
import { fromNow, lastVisitWords, softwareWords, timesFailed, unidentifiedWords, whenWords } from './words.ts';

const ROUTES = { config: 'its configuration', discovery: 'the NodeInfo link', nodeinfo: 'NodeInfo' } as const;

/** A sentence naming the last noindex signals of a host; empty when they are unknown. */
export function noindexWords(signals: readonly NoindexSignal[] = []): string {
  const known = signals.filter((signal) => signal !== 'earlier').map(signalWords);
  return known.length === 0 ? '' : `Last found: ${known.join('; ')}. `;
}

function signalWords(signal: Exclude<NoindexSignal, 'earlier'>): string {
  if (signal === 'robots') return 'robots.txt names Loopscout';
  if (signal === 'nodeinfo') return 'the metadata of NodeInfo';
  const route = signal.slice(0, signal.indexOf('-')) as keyof typeof ROUTES;
  return `the header sent with ${ROUTES[route]}${signal.endsWith('-error-header') ? ' (an error response)' : ''}`;
}

/** Explains a domain that is not listed: the main reason as a clause, and the details. */
type Unlisted = (because: string, why: string) => ListingExplanation;

/** Why a domain is in the directory, or is not. */
export function explainListing(context: ExplainContext): ListingExplanation {
  const { record, listing } = context;
  if (listing.listed) return explainListed(context);
  const unlisted: Unlisted = (because, why) => ({
    headline: `${record.domain} is not listed: ${because}.`,
    why,
  });
  const { now, policy } = context;
  if (hasPendingRequest(record)) return explainPendingRequest(context, unlisted);
  switch (listing.because) {
    case 'never-visited':
      return unlisted(
        'it has not been visited yet',
        `It became known ${whenWords(record.firstSeen, now)}, and is queued for its first visit.`,
      );
    case 'revived':
      return explainPendingRequest(context, unlisted);
    case 'dead':
      // A requested visit reset the failure count, so the usual explanation does not hold.
      if (record.failures <= policy.deadAfterFailures)
        return unlisted(
          'it was Loops, and counts as dead',
          [
            `It was dead or gone, a visit was requested, and that visit failed: ${lastVisitWords(context)}.`,
            timesFailed(record, now),
            'Any answer revives it.',
          ]
            .filter((part) => part !== '')
            .join(' '),
        );
      return unlisted(
        'it was Loops, and counts as dead',
        `${timesFailed(record, now)} A domain counts as dead after more than ${policy.deadAfterFailures} failures in a row over more than ${policy.deadAfterDays} days. Last failure: ${lastVisitWords(context)}.`,
      );
    case 'gone':
      return unlisted(
        'it answered 410 Gone',
        '410 Gone means that the server will not come back. A later failure does not change that; any other answer does.',
      );
    case 'noindex':
      return unlisted(
        'it is Loops, and asks not to be published',
        `It sends the header "X-Robots-Tag: noindex" (or "none"), its robots.txt names Loopscout and closes the site to it, or its NodeInfo says in "metadata" that it is "private" or to "hide_in_statistics". ${noindexWords(record.host.noindexBy)}Loopscout honours each of these signals until it reads the same document again without it; a failed request withdraws nothing. The host is still visited, and is listed as soon as the signals are gone.`,
      );
    case 'same-instance':
      return unlisted(
        `it is another name of ${listing.as}`,
        record.via === 'nodeinfo'
          ? `Its NodeInfo document is that of ${listing.as}, and a server is listed and counted once.`
          : `Its answers name ${listing.as} as their host, and a server is listed and counted once.`,
      );
    case 'not-loops':
      return explainNotLoops(context, unlisted);
  }
}

function explainListed(context: ExplainContext): ListingExplanation {
  const { record, now, policy } = context;
  const { domain, state, failures } = record;
  if (state === 'failing' && failures === 0)
    return {
      headline: `${domain} is listed as down; a visit was requested.`,
      why: `The request reset its failures. Last visit: ${lastVisitWords(context)}.`,
    };
  if (state === 'failing') {
    const deadFrom = earliestDeath(record, policy);
    return {
      headline: `${domain} is listed as down: ${failures === 1 ? 'its last visit' : `its last ${failures} visits`} failed${nextVisitSuffix(context)}.`,
      why: `${timesFailed(record, now)} Last visit: ${lastVisitWords(context)}. It stays listed with its last known facts until it counts as dead: after more than ${policy.deadAfterFailures} failures in a row, and not before ${utcText(deadFrom)}.`,
    };
  }
  if (
    record.verdict !== null &&
    record.reason !== null &&
    isNeitherSuccessNorFailure({ verdict: record.verdict, reason: record.reason }, true)
  ) {
    const leaves = (record.lastSeen ?? record.stateSince) + policy.declinedInstanceDays * DAY_MS;
    return {
      headline: `${domain} is listed with earlier facts${nextVisitSuffix(context)}.`,
      why: `It was identified as Loops before. The last visit says neither that it is up nor that it is down: ${lastVisitWords(context)}. If no visit says more, it leaves the directory, not before ${utcText(leaves)}.`,
    };
  }
  if (isUnconfirmed(record))
    return {
      headline: `${domain} is listed as up, but its last visit failed.`,
      why: `${timesFailed(record, now)} Last visit: ${lastVisitWords(context)}. One failed visit is not an outage: if the next one fails too, it is down since the first.`,
    };
  if (record.verdict === 'loops')
    return {
      headline: `${domain} is listed.`,
      why: `It is Loops: ${lastVisitWords(context)}, ${record.lastVisit === null ? '' : fromNow(record.lastVisit, now)}.`,
    };
  return {
    headline: `${domain} is listed with earlier facts${nextVisitSuffix(context)}.`,
    why: `It was identified as Loops before, and that still holds. The last visit learned nothing new: ${lastVisitWords(context)}.`,
  };
}

function explainNotLoops(context: ExplainContext, unlisted: Unlisted): ListingExplanation {
  const { record, target, now } = context;
  const { verdict, identifiedAs, aliasOf } = record;
  const formerLoopsNote = record.wasEverLoops ? ' It used to run Loops.' : '';
  // The last conclusive visit decides; a later inconclusive one is mentioned as well.
  const laterVisitNote =
    verdict === identifiedAs ? '' : ` The last visit learned nothing new: ${lastVisitWords(context)}.`;
  if (identifiedAs === 'other') {
    const basis = `Its ${record.via === 'config' ? 'configuration' : 'NodeInfo'} ${verdict === 'other' ? 'says' : 'said'} so.`;
    const { because, note } = softwareClause(context, verdict === 'other');
    return unlisted(because, `${basis}${note}${formerLoopsNote}${laterVisitNote}`);
  }
  if (identifiedAs === 'alias') {
    const to = aliasOf ?? 'another host';
    const targetNote = target === null ? '' : ` ${to} is ${target.isListed ? 'listed' : 'not listed'}.`;
    return unlisted(
      `it redirects to ${to}`,
      `A redirecting host is not the host it redirects to: ${to} is visited and judged on its own.${targetNote}${formerLoopsNote}${laterVisitNote}`,
    );
  }
  if (record.wasEverLoops)
    return unlisted(
      unidentifiedWords(record),
      `It was Loops, and no visit has reached it for more than ${context.policy.declinedInstanceDays} days: ${lastVisitWords(context)}. The next visit that identifies it lists it again.`,
    );
  return unlisted(
    unidentifiedWords(record),
    [
      sentence(lastVisitWords(context)),
      verdict === 'unreachable' ? timesFailed(record, now) : '',
      `No visit since ${utcText(record.firstSeen)} has identified its software.`,
    ]
      .filter((part) => part !== '')
      .join(' '),
  );
}

function softwareClause({ record, softwareId }: ExplainContext, isNow: boolean): { because: string; note: string } {
  const { software } = record;
  if (software === null || !isSimilarName(software, softwareId))
    return {
      because: `it ${isNow ? 'runs' : 'ran'} ${softwareWords(record, softwareId)}, which is not Loops`,
      note: '',
    };
  const name = quotedName(software);
  return {
    because: `it ${isNow ? 'calls' : 'called'} itself ${name}, and only the exact name "${softwareId}" counts as Loops`,
    note: name.includes('␣') ? ' ␣ stands for a space.' : '',
  };
}

/** The time of the next visit, for a domain in trouble whose next visit is more than a day away. */
function nextVisitSuffix({ record: { nextVisit }, now }: ExplainContext): string {
  return nextVisit === null || nextVisit - now <= DAY_MS ? '' : `; the next visit is ${whenWords(nextVisit, now)}`;
}

function explainPendingRequest(context: ExplainContext, unlisted: Unlisted): ListingExplanation {
  return unlisted(
    'a requested visit has not finished yet',
    `Until then its earlier state does not count. Last visit: ${lastVisitWords(context)}.`,
  );
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
