import { domainToUnicode } from 'node:url';
import { FACT_LEAVES, FEATURES } from '../model/facts/fact-leaves.ts';
import { labelOf, UNITS } from '../model/facts/instance-facts.ts';
import { describeOutcome, underlyingReason } from '../model/step.ts';
import type { BadgeView } from '../report/badge.ts';
import { counted, proseLine } from '../report/text-blocks.ts';
import { type ClientLine, findingView, type ReportView } from '../report/view.ts';
import type { ClientView, Report } from './report.ts';
import { AREA_NAMES, AREAS } from './rule.ts';

/** The report in words, from which every format is rendered. */
export function reportView(report: Report): ReportView {
  const { instance, offline } = report;
  const problem = problemOf(report);
  const absent = instance === null ? problem : null;
  return {
    command: 'loopscout check',
    subject: proseLine(report.domain, 300),
    startedAt: report.checkedAt,
    durationMs: report.durationMs,
    headline: headlineOf(report, problem),
    summary: summaryOf(report),
    incomplete: report.cutShort === null || offline ? null : proseLine(report.cutShort),
    verdict: { id: 'is-loops', word: report.verdict, problem: report.verdict === 'loops' ? null : problem },
    facts: offline
      ? null
      : {
          title: report.local ? 'A directory would show' : 'A directory will show',
          rows: instance === null ? [] : shownFacts(instance),
          absent,
        },
    clients: { title: 'How clients see it', rows: report.clients.map(clientLine) },
    groups: AREAS.map((area) => {
      const findings = report.findings.filter((finding) => finding.area === area).map(findingView);
      const skipped = report.notJudged.filter((rule) => rule.area === area).map(({ id }) => id);
      return { id: area, name: AREA_NAMES[area], findings, skipped };
    }).filter(({ findings, skipped }) => findings.length + skipped.length > 0),
    hint: 'loopscout check --rule ID explains a finding.',
    generatedBy: `Checked on ${report.checkedAt.slice(0, 10)} at ${report.checkedAt.slice(11, 16)} UTC by ${proseLine(report.tool, 60)}.`,
    effect: 'Nothing was changed on the server.',
    badge: badgeOf(report),
  };
}

/** @param problem why a directory does not list the server, as a clause. */
function headlineOf(report: Report, problem: string): ReportView['headline'] {
  const { verdict, counts } = report;
  const domain = report.local ? `http://${report.domain}, a server on this machine,` : domainWords(report.domain);
  // A fault of this machine, not of the server.
  if (report.offline) return { severity: 'warn', text: `${domain} was not checked: ${problem}.` };
  if (verdict !== 'loops') return { severity: 'fail', text: `${domain} is not seen as a Loops server: ${problem}.` };
  const runs = `${domain} runs Loops${report.version === null ? '' : ` ${proseLine(report.version, 60)}`}`;
  if (counts.fail > 0)
    return { severity: 'fail', text: `${runs}, and ${counted(counts.fail, 'check fails', 'checks fail')}.` };
  if (counts.warn > 0)
    return { severity: 'warn', text: `${runs}; no check fails, with ${counted(counts.warn, 'warning')}.` };
  const { pass, info } = counts;
  if (pass + info === 0) return { severity: 'pass', text: `${runs}; no rule had anything to say.` };
  const known = info === 1 ? 'one thing is worth knowing' : `${info} things are worth knowing`;
  if (info > 0) return { severity: 'pass', text: `${runs}; nothing is wrong, and ${known}.` };
  return { severity: 'pass', text: `${runs}, and passes ${pass === 1 ? 'the one check' : `all ${pass} checks`}.` };
}

/** Why a directory does not list the server, as a clause. */
function problemOf({ verdict, reason, steps, aliasOf, software, version, offline, cutShort }: Report): string {
  if (offline) return proseLine(cutShort ?? 'this machine is offline');
  if (verdict === 'alias' && aliasOf !== null) return `it redirects to ${domainWords(aliasOf)}`;
  if (verdict === 'other' && software !== null) {
    return `it identifies itself as ${[software, version]
      .map((word) => proseLine(word ?? '', 60))
      .join(' ')
      .trim()}`;
  }
  return describeOutcome(reason, underlyingReason(reason, steps));
}

function summaryOf({ counts, notJudged, requests, durationMs, local }: Report): string {
  const found: string[] = (['fail', 'warn', 'info', 'pass'] as const).map(
    (severity) => `${counts[severity]} ${severity}`,
  );
  if (notJudged.length > 0) found.push(`${notJudged.length} not judged`);
  return `${found.join(', ')}; ${counted(requests, 'request')} in ${(durationMs / 1_000).toFixed(1)} s${local ? '; DNS, TLS and reachability from outside are not judged' : ''}`;
}

/** A domain, with its Unicode form if that differs: `xn--mnchen-3ya.de (münchen.de)`. */
function domainWords(domain: string): string {
  const shown = proseLine(domain, 300);
  const [host = '', ...port] = domain.split(':');
  const unicode = domainToUnicode(host);
  if (unicode === '' || unicode === host) return shown;
  return `${shown} (${proseLine([unicode, ...port].join(':'), 300)})`;
}

const CLIENT_NAMES: Readonly<Record<ClientView['client'], string>> = {
  loopscout: 'Loopscout',
  'official-app': 'the official app',
  'nodeinfo-strict': 'a strict NodeInfo client',
  'nodeinfo-best-effort': 'a lenient NodeInfo client',
};

function clientLine({ client, sees, software, version, why }: ClientView): ClientLine {
  const named = [software, version].flatMap((word) => (word === null ? [] : [proseLine(word, 60)])).join(' ');
  const seen = {
    nothing: 'nothing',
    service: version === null ? 'a Loops server' : `a Loops server, ${proseLine(version, 60)}`,
    other: named === '' ? 'other software' : `other software, ${named}`,
  };
  return { name: CLIENT_NAMES[client], isRight: sees === 'service', sees: seen[sees], why: proseLine(why, 300) };
}

function badgeOf({ verdict, counts, offline }: Report): BadgeView {
  const { fail, warn } = counts;
  const label = 'loops check';
  if (offline) return { label, message: 'not checked', color: 'lightgrey' };
  if (verdict !== 'loops')
    return { label, message: verdict === 'unreachable' ? 'unreachable' : 'not seen as Loops', color: 'red' };
  if (fail > 0) return { label, message: `${fail} failing`, color: 'red' };
  if (warn > 0) return { label, message: `passing, ${counted(warn, 'warning')}`, color: 'yellow' };
  return { label, message: 'passing', color: 'brightgreen' };
}

type Instance = NonNullable<Report['instance']>;

const SHOWN_LIMITS = FACT_LEAVES.filter(({ parent }) => parent === 'limits');

/** The facts that a directory will show, as labels and values. */
function shownFacts(instance: Instance): [label: string, value: string][] {
  const { registration, federation, flags } = instance;
  const mode = registration.mode === null ? '' : ` (mode ${proseLine(registration.mode, 60)})`;
  return [
    ['name', textOf(instance.name, 200)],
    ['description', textOf(instance.description, 400)],
    ['version', textOf(instance.version, 60)],
    ['registration', `${stateOf(registration.open, 'open', 'closed')}${mode}`],
    ['federation', stateOf(federation, 'on', 'off')],
    ['users', usersOf(instance.usage)],
    ['posts', numberOf(instance.usage.posts)],
    ['features', featuresOf(instance.features)],
    ['limits', limitsOf(instance.limits)],
    ...(flags.length === 0 ? [] : [['flags', flags.join(', ')] satisfies [string, string]]),
  ];
}

function textOf(text: string | null, maxLength: number): string {
  if (text === null) return 'unknown';
  return proseLine(text, maxLength) || '(empty)';
}

function stateOf(state: boolean | null, yes: string, no: string): string {
  return state === null ? 'unknown' : state ? yes : no;
}

function numberOf(count: number | null): string {
  return count === null ? 'unknown' : String(count);
}

function usersOf({ users, activeMonth, activeHalfyear }: Instance['usage']): string {
  const known = [
    activeMonth === null ? null : `${activeMonth} active in a month`,
    activeHalfyear === null ? null : `${activeHalfyear} in half a year`,
  ].filter((part) => part !== null);
  return [numberOf(users), ...known].join(', ');
}

/** The features as text: first those that are on, then those that are off or unknown. */
function featuresOf(features: Instance['features']): string {
  const featuresThatAre = (state: boolean | null) =>
    FEATURES.filter(({ key }) => features[key] === state).map(({ meta }) => labelOf(meta));
  const groups: [string, string[]][] = [
    ['', featuresThatAre(true)],
    ['off: ', featuresThatAre(false)],
    ['unknown: ', featuresThatAre(null)],
  ];
  return groups
    .filter(([, members]) => members.length > 0)
    .map(([head, members]) => `${head}${members.join(', ')}`)
    .join('; ');
}

/** The known limits: "largest video 40 MB, video formats mp4/mov". */
function limitsOf(limits: Instance['limits']): string {
  const known = SHOWN_LIMITS.flatMap(({ get, meta: { label, unit } }) => {
    const value = get({ limits });
    if (value === null) return [];
    const shown = Array.isArray(value) ? value.slice(0, 10).map((item) => proseLine(item, 20)) : [String(value)];
    return [`${label} ${shown.join('/') || 'none'}${unit === undefined ? '' : ` ${UNITS[unit].short}`}`];
  });
  return known.join(', ') || 'unknown';
}
