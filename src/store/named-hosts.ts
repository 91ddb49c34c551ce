import { type Domain, hostOf, originOf } from '../domain/domain.ts';
import type { Step } from '../record/step.ts';

/** Most texts name nobody, and need no closer look. */
const MAY_NAME = /[a-z0-9-]\.[a-z]/i;
/** All that a host name with a port can consist of. */
const RUNS = /[a-z0-9.-]+(?::\d{1,5})?/g;
/** A host name ends with a label that begins with a letter (RFC 3696, section 2), unlike a version. */
const HOST_NAME = /^[a-z0-9-][a-z0-9.-]*\.[a-z][a-z0-9-]*$/;
/** Of characters (RFC 1035, section 2.3.4). */
const LONGEST_NAME = 253;
const ENCODED = /%[0-9a-f]{2}/g;

/** The path that every visit asks for and that looks like a host. */
const ROBOTS = 'robots.txt';

/**
 * The hosts that the steps of a visit name, in URLs and notes, other than the one visited; a host with a port by its name with and
 * without it.
 */
export function namedHosts(steps: readonly Step[], own: Domain): Set<string> {
  const names = new Set<string>();
  const origin = originOf(own);
  for (const { url, note } of steps) {
    const beyondOwn = url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
    if (beyondOwn !== `/${ROBOTS}` && beyondOwn !== own) addNames(names, beyondOwn);
    if (note !== undefined) addNames(names, note);
  }
  for (const name of [own, hostOf(own), ROBOTS]) names.delete(name);
  return names;
}

function addNames(names: Set<string>, text: string): void {
  if (!MAY_NAME.test(text)) return;
  for (const [run] of text.toLowerCase().replace(ENCODED, ' ').matchAll(RUNS)) {
    const [host = '', port] = withoutOuterDots(run).split(':');
    if (host.length > LONGEST_NAME || !HOST_NAME.test(host)) continue;
    if (port !== undefined) names.add(`${host}:${port}`);
    names.add(host);
  }
}

function withoutOuterDots(run: string): string {
  let start = 0;
  let end = run.length;
  while (run[start] === '.') start += 1;
  while (end > start && run[end - 1] === '.') end -= 1;
  return run.slice(start, end);
}
