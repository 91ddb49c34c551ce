/** The rules of a robots.txt that hold for one robot: those of the groups that name it, or else of those for everyone. */
export interface RobotsGroup {
  by: 'ours' | 'everyone';
  /** In the order of the file, `allow` or `disallow`, none without a value. Null when there are more than are judged by. */
  rules: readonly { key: string; value: string }[] | null;
  /** What the last Crawl-delay that is a number says; null when there is none. */
  crawlDelaySeconds: number | null;
}

/** So many rules are judged by, and so many characters of them all: judging a target takes time for each. */
const MOST_RULES = 2_000;
const MOST_RULE_CHARACTERS = 65_536;

interface Group {
  rules: { key: string; value: string }[];
  characters: number;
  crawlDelaySeconds: number | null;
}

/**
 * Reads the lines of a robots.txt (RFC 9309 section 2.2) and keeps what is for us: a file may name thousands of robots, and repeat
 * thousands of rules for them.
 *
 * @param token the product token that names us.
 */
export function readRobotsGroup(text: string, token: string): RobotsGroup {
  const ours: Group = { rules: [], characters: 0, crawlDelaySeconds: null };
  const everyone: Group = { rules: [], characters: 0, crawlDelaySeconds: null };
  const named = token.toLowerCase();
  let current: readonly Group[] = [];
  let isNamed = false;
  let wasAgent = false;

  for (const line of text.split(/\r\n|\r|\n/)) {
    const [key, value] = fieldOf(line);
    if (key === '') continue;
    const isAgent = key === 'user-agent';
    if (isAgent) {
      if (!wasAgent) current = [];
      const name = nameOf(value);
      if (name === named) isNamed = true;
      const opened = name === named ? ours : name === '*' ? everyone : null;
      if (opened !== null && !current.includes(opened)) current = [...current, opened];
    }
    for (const group of current) take(group, key, value);
    wasAgent = isAgent;
  }
  const { rules, characters, crawlDelaySeconds } = isNamed ? ours : everyone;
  const isTooLong = rules.length > MOST_RULES || characters > MOST_RULE_CHARACTERS;
  return { by: isNamed ? 'ours' : 'everyone', rules: isTooLong ? null : rules, crawlDelaySeconds };
}

/** Key in small letters and value; an empty key for a line that has none. */
function fieldOf(line: string): [key: string, value: string] {
  const comment = line.indexOf('#');
  const colon = line.indexOf(':');
  if (colon < 1 || (comment >= 0 && comment < colon)) return ['', ''];
  const value = line.slice(colon + 1, comment < 0 ? undefined : comment);
  return [line.slice(0, colon).trim().toLowerCase(), value.trim()];
}

/** The name of a robot without its version. */
function nameOf(value: string): string {
  const [name = ''] = value.split('/', 1);
  return name.trim().toLowerCase();
}

function take(group: Group, key: string, value: string): void {
  if (key === 'crawl-delay') {
    const seconds = Number(value);
    if (!Number.isNaN(seconds)) group.crawlDelaySeconds = seconds;
  } else if ((key === 'allow' || key === 'disallow') && value !== '') {
    group.characters += value.length;
    if (group.rules.length <= MOST_RULES) group.rules.push({ key, value });
  }
}
