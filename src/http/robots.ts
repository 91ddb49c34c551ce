import robotsParserModule from 'robots-parser';

/** The part of the parser that is used. Its own types name a default export that a CommonJS module has not. */
type RobotsParser = (
  url: string,
  text: string,
) => {
  isDisallowed(url: string, token: string): boolean | undefined;
};
const robotsParser = robotsParserModule as unknown as RobotsParser;

/** The product token that site owners name us by in robots.txt (RFC 9309 section 2.2.1). */
export const ROBOTS_TOKEN = 'Loopscout';

/** What a robots.txt says to us about one URL: which group forbids it, if any. */
export type RobotsRules = (url: URL) => 'ours' | 'everyone' | null;

/** The rules of a site that has no robots.txt. */
export const NO_RULES: RobotsRules = () => null;

/** A line that opens a group for us, read as the parser reads it, which does not say which group it went by. */
const NAMES_US = new RegExp(`^[ \\t]*user-agent[ \\t]*:[ \\t]*${ROBOTS_TOKEN}[ \\t]*(?:[/#].*)?$`, 'im');

/** Reads a robots.txt (RFC 9309): the longest match wins, and a group that names us replaces the one for everyone. */
export function parseRobots(robotsUrl: URL, body: Uint8Array): RobotsRules {
  const text = new TextDecoder().decode(body);
  const robots = robotsParser(robotsUrl.href, text);
  const group = NAMES_US.test(text) ? 'ours' : 'everyone';
  return (url) => {
    // Joined as text: a path that begins with `//` names another host when it is resolved.
    const target = robotsUrl.origin + url.pathname + url.search;
    return robots.isDisallowed(target, ROBOTS_TOKEN) === true ? group : null;
  };
}
