import { isDown } from '../../record/is-down.ts';
import type { Paint } from '../../record/terminal-text.ts';
import { UPTIME_MS } from '../../record/uptime-of.ts';
import type { Explanation } from '../explanation.ts';
import { fromNow, utc, whenWords } from '../time-words.ts';
import { factLines, factTitle } from './fact-lines.ts';
import { changeLines, visitLines } from './history-lines.ts';
import { listItem } from './list-item.ts';

import { wrap } from './wrap.ts';

/** Columns of a terminal that everyone has. */
const WIDTH = 80;
/** Columns of the names in front of values. */
const LABEL = 12;

/** An explanation for a person at a terminal; nothing of it is told by colour alone. */
export function explanationText(explanation: Explanation, paint: Paint): string {
  const { state, verdict, reason, listed, headline, why, whatWouldChange } = explanation;
  const isWell = listed && state === 'active' && verdict === 'loops';
  const colour = !listed ? 'red' : state !== null && isDown({ state, reason }) ? 'yellow' : 'green';
  const sections = [
    wrap(headline, WIDTH)
      .split('\n')
      .map((line) => paint(['bold', colour], line)),
    wrap(why, WIDTH).split('\n'),
    summaryLines(explanation),
    titled(
      isWell ? 'What could be better' : 'What would change it',
      whatWouldChange.map((cure) => listItem(cure, WIDTH)),
      paint,
    ),
    titled(factTitle(explanation), factLines(explanation, WIDTH), paint),
    titled(
      'Flags',
      explanation.flags.map(({ flag, means }) => wrap(`${flag}: ${means}`, WIDTH, '  ', '    ')),
      paint,
    ),
    titled('Changes, newest first', changeLines(explanation, WIDTH), paint),
    titled('Visits, newest first', visitLines(explanation, WIDTH), paint),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function titled(title: string, lines: readonly string[], paint: Paint): string[] {
  return lines.length === 0 ? [] : [paint(['bold'], title), ...lines];
}

function summaryLines(explanation: Explanation): string[] {
  const { state, since, stateWhy, firstSeen, lastVisit, lastSeen, verdict, reason, via, nextVisit, nextVisitWhy } =
    explanation;
  if (state === null || since === null || firstSeen === null) return [];
  const now = Date.parse(explanation.asOf);
  const line = (label: string, text: string) => wrap(text, WIDTH, `  ${label.padEnd(LABEL)}`, ' '.repeat(2 + LABEL));
  const when = (iso: string) => whenWords(Date.parse(iso), now);
  return [
    line('state', `${state} since ${utc(Date.parse(since))}; ${stateWhy}`),
    ...(lastVisit === null ? [] : [line('last visit', `${when(lastVisit)}; ${verdict}, ${reason}`)]),
    ...(via === null ? [] : [line('known by', via === 'config' ? 'its configuration' : 'its NodeInfo')]),
    ...(lastVisit === null || lastSeen === lastVisit
      ? []
      : [line('last seen', lastSeen === null ? 'never' : when(lastSeen))]),
    line('known', `since ${utc(Date.parse(firstSeen))}`),
    line('next visit', nextVisit === null ? 'never' : nextWords(Date.parse(nextVisit), nextVisitWhy, now)),
    ...uptimeLines(explanation, line),
  ];
}

function nextWords(at: number, why: string | null, now: number): string {
  const because = why === null ? '' : `; ${why}`;
  if (at > now) return `${whenWords(at, now)}${because}`;
  return now - at < 60_000 ? `due now${because}` : `due since ${utc(at)}, ${fromNow(at, now)}${because}`;
}

function uptimeLines(
  { uptime, firstSeen, asOf }: Explanation,
  line: (label: string, text: string) => string,
): string[] {
  if (uptime === null) return [];
  if ([uptime.day, uptime.week, uptime.month].every(({ share }) => share === null))
    return [line('up', `too little was watched ${isYoung(firstSeen, asOf) ? 'yet' : 'lately'}`)];
  return (['day', 'week', 'month'] as const).map((name, index) => {
    const { share, coverage } = uptime[name];
    const known = share === null ? 'unknown' : percent(share);
    return line(index === 0 ? 'up' : '', `${known} in the last ${name} (${percent(coverage)} of it watched)`);
  });
}

/** Known for less than the longest stretch that uptime is told of. */
function isYoung(firstSeen: string | null, asOf: string): boolean {
  return firstSeen !== null && Date.parse(asOf) - Date.parse(firstSeen) < UPTIME_MS;
}

/** Rounded down: nothing is called 100 % that is not. */
function percent(share: number): string {
  return `${Math.floor(share * 1_000) / 10} %`;
}
