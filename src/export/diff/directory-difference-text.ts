import type { DirectoryDifference } from '../schema/directory-difference.ts';

const BECAUSE: Readonly<Record<NonNullable<DirectoryDifference['gone'][number]['because']>, string>> = {
  'opted-out': 'opted out',
  'never-visited': 'not visited any more',
  'not-loops': 'no longer identified as Loops',
  dead: 'dead',
  gone: 'it answered 410 Gone',
  revived: 'waiting for a visit',
  noindex: 'asks not to be published',
  'same-instance': 'another name of a listed instance',
};

const nameWithDomain = ({ domain, name }: { domain: string; name: string | null }) =>
  name === null ? domain : `${domain} (${name})`;
const fromTo = ({ domain, from, to }: { domain: string; from: string | null; to: string | null }) =>
  `${domain}: ${from ?? 'unknown'} -> ${to ?? 'unknown'}`;

/** The changes as text: the totals, then one section per kind of change. */
export function directoryDifferenceText(difference: DirectoryDifference): string {
  const { from, to, listed } = difference;
  const parts: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['New', difference.new.map((one) => `${nameWithDomain(one)}, ${one.version ?? 'version unknown'}`)],
    [
      'Gone',
      difference.gone.map((one) => `${nameWithDomain(one)}${one.because === null ? '' : `: ${BECAUSE[one.because]}`}`),
    ],
    ['Moved', difference.moved.map((one) => `${one.from} -> ${one.to}`)],
    ['Upgraded', difference.upgraded.map(fromTo)],
    ['Downgraded', difference.downgraded.map(fromTo)],
    ['Another version', difference.versionChanged.map(fromTo)],
    ['Registration opened', difference.opened.map(nameWithDomain)],
    ['Registration closed', difference.closed.map(nameWithDomain)],
    ['Renamed', difference.renamed.map(fromTo)],
    ['Up again', difference.up.map(nameWithDomain)],
    ['Down', difference.down.map(nameWithDomain)],
  ];
  const sections = parts.filter(([, lines]) => lines.length > 0);
  const head = `From ${from} to ${to}: ${listed.before} instances listed, then ${listed.after}.`;
  const body = sections.map(
    ([title, lines]) => `\n${title}: ${lines.length}\n${lines.map((line) => `  ${line}\n`).join('')}`,
  );
  return `${head}\n${sections.length === 0 ? '\nNothing changed.\n' : body.join('')}`;
}
