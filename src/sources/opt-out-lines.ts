import type { Domain } from '../model/domain/domain.ts';
import { type DomainOptions, type DomainParse, parseDomain } from '../model/domain/parse-domain.ts';
import { type Line, MAX_LINE_LENGTH } from './formats/lines.ts';
import { withoutComment } from './formats/read-item.ts';
import type { SourceRefusal } from './source.ts';

/** A line of the opt-out file: the domains that it names, or why it is refused. */
export type OptOutLine = { readonly line: number } & OptOuts;

type OptOuts =
  | { readonly domains: readonly Domain[]; readonly refused: null }
  | { readonly domains: readonly []; readonly refused: SourceRefusal };

/**
 * Reads a file of opt-outs. An opt-out is permanent and purges data, so a line that does not clearly name hosts is refused as a whole,
 * and opts nobody out.
 */
export async function* optOutLines(lines: AsyncIterable<Line>, options: DomainOptions): AsyncGenerator<OptOutLine> {
  for await (const { number: line, text } of lines) {
    const content = withoutComment(text);
    if (content !== '') yield { line, ...readOptOuts(content, text.length >= MAX_LINE_LENGTH, options) };
  }
}

/** Words only, so that no part of a hidden name passes as a remark. */
const REMARK = /^[\p{L}\p{M}\p{N}\s-]*[.!?]?$/u;
/** `user@host`, unlike `@user@host`, may be a name with a hidden letter: `cl@ps.example`. */
const MAY_HIDE_A_LETTER = /^(?!acct:)(?:https?:\/\/)?[^@/?#\\]+@/i;

/** Reads one name or URL, or several names separated by white space, commas or semicolons; a comma or semicolon also begins a remark. */
function readOptOuts(content: string, isTruncated: boolean, options: DomainOptions): OptOuts {
  if (isTruncated) return refuse('too-long');
  const whole = parse(content, options);
  if (whole.ok)
    return MAY_HIDE_A_LETTER.test(content) ? refuse('bad-label') : { domains: [whole.domain], refused: null };
  const [first = '', ...others] = content.split(/[,;]/);
  const names = [first, ...others.filter((part) => !REMARK.test(part.trim()))].join(' ').trim().split(/\s+/);
  const domains = new Set<Domain>();
  for (const name of names) {
    const named = parse(name, options);
    if (!named.ok) return refuse(named.reason);
    // The path of a URL may contain the separators.
    if (/[/@\\]/.test(name)) return refuse('two-hosts');
    domains.add(named.domain);
  }
  return { domains: [...domains], refused: null };
}

function refuse(reason: SourceRefusal): OptOuts {
  return { domains: [], refused: reason };
}

/** `*.loops.example` names `loops.example`. */
function parse(text: string, options: DomainOptions): DomainParse {
  return parseDomain(text.replace(/^\*\.(?=\S)/, ''), options);
}
