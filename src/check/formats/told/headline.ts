import { causeOf } from '../../../record/cause-of.ts';
import { endingWords } from '../../../record/ending-words.ts';
import type { Report } from '../../report.ts';
import type { Severity } from '../../severity.ts';
import { proseLine } from './blocks.ts';
import { counted } from './counted.ts';
import { domainWords } from './domain-words.ts';

/** The whole report in one sentence, and how bad it is: the worst of its findings, or `fail` when it is no server of the service. */
export function headlineOf(report: Report): { severity: Severity; text: string } {
  const { verdict, counts } = report;
  const domain = domainWords(report.domain);
  // What is wrong is here, and a directory will not mind.
  if (report.offline) return { severity: 'warn', text: `${domain} was not checked: ${whyNot(report)}.` };
  if (verdict !== 'loops')
    return { severity: 'fail', text: `${domain} is not seen as a Loops server: ${whyNot(report)}.` };
  const runs = `${domain} runs Loops${report.version === null ? '' : ` ${proseLine(report.version, 60)}`}`;
  if (counts.fail > 0)
    return { severity: 'fail', text: `${runs}, and ${counted(counts.fail, 'check fails', 'checks fail')}.` };
  if (counts.warn > 0)
    return { severity: 'warn', text: `${runs}; nothing fails, with ${counted(counts.warn, 'warning', 'warnings')}.` };
  const { pass, info } = counts;
  if (pass + info === 0) return { severity: 'pass', text: `${runs}; no rule had anything to say.` };
  if (info > 0) return { severity: 'pass', text: `${runs}; nothing is wrong, and ${knowWords(info)}.` };
  return { severity: 'pass', text: `${runs}, and passes ${pass === 1 ? 'the one check' : `all ${pass} checks`}.` };
}

function knowWords(count: number): string {
  return count === 1 ? 'one thing is worth knowing' : `${count} things are worth knowing`;
}

/** Why a directory will not list it, in a clause. */
export function whyNot({ verdict, reason, steps, aliasOf, software, version, offline, cutShort }: Report): string {
  if (offline) return proseLine(cutShort ?? 'this machine is offline');
  if (verdict === 'alias' && aliasOf !== null) return `it redirects to ${domainWords(aliasOf)}`;
  if (verdict === 'other' && software !== null) {
    return `it says that it is ${[software, version]
      .map((word) => proseLine(word ?? '', 60))
      .join(' ')
      .trim()}`;
  }
  return endingWords(reason, causeOf(reason, steps));
}
