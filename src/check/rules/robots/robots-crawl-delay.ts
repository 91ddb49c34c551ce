import { robotsOf } from '../../documents/robots-of.ts';
import { info, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

/** The longest that Loopscout waits between two requests. */
const LONGEST_REST_SECONDS = 5;

export const robotsCrawlDelay: Rule = {
  id: 'robots-crawl-delay',
  area: 'robots',
  worst: 'info',
  title: 'robots.txt asks for no long pauses',
  checks: `What \`Crawl-delay\` says to Loopscout, and what comes of it: it is kept up to ${LONGEST_REST_SECONDS} seconds, as a visit is four requests at most.`,
  why: 'The line is no part of the standard. Some crawlers keep to it to the letter and give a server up that asks for minutes between two requests; others never read it.',
  sources: ['RFC 9309 section 2.2.4'],
  cure: `Leave the line out, or ask for a few seconds; what many requests cost is better held off by a limit of the web server:

    Crawl-delay: 2`,
  judge(evidence) {
    const robots = robotsOf(evidence);
    if (robots === null) return null;
    const seconds = robots.robotsFor().crawlDelaySeconds;
    if (seconds === null) return pass('There is no Crawl-delay.');
    if (seconds <= LONGEST_REST_SECONDS) return pass(`Crawl-delay is ${seconds} s, which is kept.`);
    return info(
      `Crawl-delay is ${seconds} s. Loopscout waits ${LONGEST_REST_SECONDS} s between requests; crawlers that wait as long as it says may give up.`,
    );
  },
};
