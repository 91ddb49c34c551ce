import { FACT_LEAVES } from '../../model/facts/fact-leaves.ts';
import type { FactValue } from '../../model/facts/fact-value.ts';
import { labelOf } from '../../model/facts/instance-facts.ts';
import { isDown } from '../../model/instance-record.ts';
import { type Paint, wrapLines } from '../../model/text/terminal-text.ts';
import { MINUTE_MS, utcText } from '../../model/time.ts';
import { UPTIME_MS } from '../../model/uptime.ts';
import type { ExplainedFact, ExplainedStep, Explanation } from '../explanation.ts';
import { fromNow, whenWords } from '../words.ts';

/** Columns of the text, on every terminal. */
const WIDTH = 80;
/** Columns of the labels in front of values. */
const LABEL = 12;

/** An explanation for the terminal. Only long words and lines to copy exceed 80 columns; colour adds no information. */
export function explanationText(explanation: Explanation, paint: Paint): string {
  const { state, verdict, listed, headline, why, whatWouldChange } = explanation;
  const isHealthy = listed && state === 'active' && verdict === 'loops';
  const colour = !listed ? 'red' : state !== null && state !== 'opted-out' && isDown({ state }) ? 'yellow' : 'green';
  const sections = [
    wrap(headline, WIDTH)
      .split('\n')
      .map((line) => paint(['bold', colour], line)),
    wrap(why, WIDTH).split('\n'),
    summaryLines(explanation),
    titled(
      isHealthy ? 'What could be better' : 'What would change it',
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
  const {
    state,
    since,
    stateWhy,
    firstSeen,
    lastVisit,
    lastSeen,
    verdict,
    reason,
    via,
    nextVisit,
    nextVisitWhy,
    sources,
  } = explanation;
  if (state === null || since === null || firstSeen === null) return [];
  const now = Date.parse(explanation.asOf);
  const line = (label: string, text: string) => wrap(text, WIDTH, `  ${label.padEnd(LABEL)}`, ' '.repeat(2 + LABEL));
  const when = (iso: string) => whenWords(Date.parse(iso), now);
  return [
    line('state', `${state} since ${utcText(since)}; ${stateWhy}`),
    ...(lastVisit === null ? [] : [line('last visit', `${when(lastVisit)}; ${verdict}, ${reason}`)]),
    ...(via === null ? [] : [line('known by', via === 'config' ? 'its configuration' : 'its NodeInfo')]),
    ...(lastVisit === null || lastSeen === lastVisit
      ? []
      : [line('last seen', lastSeen === null ? 'never' : when(lastSeen))]),
    ...hostingLines(explanation, line),
    line('known', `since ${utcText(firstSeen)}`),
    ...(sources.length === 0 ? [] : [line('listed by', sources.map(({ source }) => source).join(', '))]),
    line('next visit', nextVisit === null ? 'never' : nextWords(Date.parse(nextVisit), nextVisitWhy, now)),
    ...uptimeLines(explanation, line),
  ];
}

function hostingLines({ hosting }: Explanation, line: (label: string, text: string) => string): string[] {
  const { country = null, asn = null, network = null, behind = null } = hosting ?? {};
  const parts = [
    ...(country === null ? [] : [country]),
    ...(network === null ? [] : [network]),
    ...(asn === null ? [] : [`AS${asn}`]),
    ...(behind === null ? [] : [`behind ${behind}, so its country is unknown`]),
  ];
  return parts.length === 0 ? [] : [line('hosted', parts.join('; '))];
}

function nextWords(at: number, why: string | null, now: number): string {
  const because = why === null ? '' : `; ${why}`;
  if (at > now) return `${whenWords(at, now)}${because}`;
  return now - at < MINUTE_MS ? `due now${because}` : `due since ${utcText(at)}, ${fromNow(at, now)}${because}`;
}

function uptimeLines(
  { uptime, firstSeen, asOf }: Explanation,
  line: (label: string, text: string) => string,
): string[] {
  if (uptime === null) return [];
  if ([uptime.day, uptime.week, uptime.month].every(({ share }) => share === null))
    return [line('up', `too little was observed ${isYoung(firstSeen, asOf) ? 'so far' : 'recently'}`)];
  return (['day', 'week', 'month'] as const).map((name, index) => {
    const { share, coverage } = uptime[name];
    const known = share === null ? 'unknown' : percent(share);
    return line(index === 0 ? 'up' : '', `${known} in the last ${name} (${percent(coverage)} of it observed)`);
  });
}

/** Whether a domain has been known for less than the longest uptime window. */
function isYoung(firstSeen: string | null, asOf: string): boolean {
  return firstSeen !== null && Date.parse(asOf) - Date.parse(firstSeen) < UPTIME_MS;
}

/** Rounded down, so that only a share of 1 is 100 %. */
function percent(share: number): string {
  return `${Math.floor(share * 1_000) / 10} %`;
}

/** The beginning of an explanation: whether a domain is listed, why, and what would change it. */
export function explanationBrief({ headline, why, whatWouldChange }: Explanation): string {
  const cures = whatWouldChange.map((cure) => listItem(cure, WIDTH));
  return [wrap(headline, WIDTH), wrap(why, WIDTH), ...cures].join('\n');
}

const LABELS: ReadonlyMap<string, string> = new Map(FACT_LEAVES.map(({ path, meta }) => [path, labelOf(meta)]));

/** Columns of the longest label and two spaces. */
const FACT_LABEL = Math.max(...[...LABELS.values()].map(({ length }) => length)) + 2;

/** The heading of the facts, with their age when the last visit did not read them. */
function factTitle({ facts, asOf, lastVisit, state }: Explanation): string {
  const readAt = mostCommonReadAt(facts ?? []);
  const verb = state === 'dead' || state === 'gone' ? 'reported' : 'reports';
  if (readAt === null || readAt === lastVisit) return `What it ${verb} about itself`;
  const stale = (facts ?? []).some((fact) => fact.readAt === readAt && fact.standing === 'stale') ? ', stale' : '';
  return `What it ${verb} about itself, read ${fromNow(Date.parse(readAt), Date.parse(asOf))}${stale}`;
}

/** The known facts, each with its age if that differs from most others; then the unknown ones. */
function factLines({ facts, asOf }: Explanation, width: number): string[] {
  if (facts === null) return [];
  const usualReadAt = mostCommonReadAt(facts);
  const known = facts.filter(({ standing }) => standing !== 'unknown');
  const unknown = facts.filter(({ standing }) => standing === 'unknown').map(({ path }) => labelAt(path));
  return [
    ...known.map((fact) => {
      const age = fact.readAt === usualReadAt ? '' : ageText(fact, Date.parse(asOf));
      return wrap(
        `${valueText(fact.value)}${age}`,
        width,
        `  ${labelAt(fact.path).padEnd(FACT_LABEL)}`,
        ' '.repeat(FACT_LABEL + 2),
      );
    }),
    ...(unknown.length === 0 ? [] : [wrap(`unknown: ${unknown.join(', ')}`, width, '  ', '    ')]),
  ];
}

function labelAt(path: string): string {
  return LABELS.get(path) ?? path;
}

function ageText({ standing, readAt }: ExplainedFact, now: number): string {
  if (readAt === null) return ' (stale: age unknown)';
  return ` (${standing === 'stale' ? 'stale: ' : ''}read ${fromNow(Date.parse(readAt), now)})`;
}

/** The time at which most of the known facts were read; null when none is known. */
function mostCommonReadAt(facts: readonly ExplainedFact[]): string | null {
  const counts = new Map<string, number>();
  for (const { readAt } of facts) if (readAt !== null) counts.set(readAt, (counts.get(readAt) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}

/** One line per change, with its cause. */
function changeLines({ changes }: Explanation, width: number): string[] {
  return changes.map(({ changedAt, field, before, after, why }) => {
    const what = `${field === 'identifiedAs' ? 'identified as' : field}: ${valueText(before)} -> ${valueText(after)}`;
    const line = why === null ? what : `${what} (${why})`;
    return wrap(line, width, `  ${utcText(changedAt)}  `, '    ');
  });
}

/** Columns of the longest name of a step and two spaces. */
const STEP_LABEL = 15;

function visitLines({ visits, asOf }: Explanation, width: number): string[] {
  const now = Date.parse(asOf);
  return visits.flatMap(({ visitedAt, verdict, means, steps }) => {
    const head = `${utcText(visitedAt)}, ${fromNow(Date.parse(visitedAt), now)}: ${verdict}, ${means}`;
    const lines =
      steps === null ? ['    the requests are no longer stored'] : steps.map((step) => stepLine(step, width));
    return [wrap(head, width, '  ', '    '), ...lines];
  });
}

function stepLine({ what, came, ms, status, failure, probe }: ExplainedStep, width: number): string {
  const wasSent = status !== null || failure !== null || probe === 'dns';
  return wrap(
    `${came}${wasSent ? `, ${ms} ms` : ''}`,
    width,
    `    ${what.padEnd(STEP_LABEL)}`,
    ' '.repeat(STEP_LABEL + 4),
  );
}

/** A fact in words: null is `unknown`, an empty text `""`, an empty list `none`. */
function valueText(value: FactValue): string {
  if (value === null) return 'unknown';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === '' ? '""' : String(value);
}

/** A list item; the lines after its first one are to be copied, and are not wrapped. */
function listItem(text: string, width: number): string {
  const [first = '', ...copied] = text.split('\n');
  return [wrap(first, width, '  - ', '    '), ...copied.map((line) => `      ${line}`)].join('\n');
}

/** Breaks text at spaces into lines of at most `width` columns. A longer word stays in one piece, so that URLs can be copied. */
function wrap(text: string, width: number, first = '', indent = first): string {
  return wrapLines(text, width, { first, indent, keepsWords: true }).join('\n');
}
