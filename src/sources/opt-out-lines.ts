import type { Domain } from '../model/domain/domain.ts';
import { type DomainOptions, parseDomain } from '../model/domain/parse-domain.ts';
import { findHostNames } from '../model/opt-outs/find-host-names.ts';
import { withoutComment } from './formats/read-item.ts';
import { type Line, LONGEST_LINE } from './regular-file.ts';
import type { SourceRefusal } from './source.ts';

/**
 * What a line of the opt-out file names. `isPlain`: it is one domain and nothing else. `refused`: nothing could be taken from it, or not
 * from all of it.
 */
export interface OptOutLine {
  readonly line: number;
  readonly domains: readonly Domain[];
  readonly isPlain: boolean;
  readonly refused: SourceRefusal | null;
}

/** Reads a file of opt-outs. Who is named on a line that is written otherwise than it should be is opted out all the same. */
export async function* optOutLines(lines: AsyncIterable<Line>, options: DomainOptions): AsyncGenerator<OptOutLine> {
  for await (const { number: line, text } of lines) {
    const written = withoutComment(text);
    if (written === '') continue;
    const parse = parseDomain(written, options);
    if (parse.ok) {
      yield { line, domains: [parse.domain], isPlain: true, refused: null };
      continue;
    }
    const domains = domainsIn(written, options);
    // The rest of such a line was not read.
    const isCut = text.length >= LONGEST_LINE;
    yield { line, domains, isPlain: false, refused: isCut ? 'too-long' : domains.length === 0 ? parse.reason : null };
  }
}

/** Every domain that a text names, whatever else it says: `*.loops.example ; gone` names `loops.example`. Where a port is none, its host is meant. */
function domainsIn(text: string, options: DomainOptions): Domain[] {
  const domains = new Set<Domain>();
  for (const { name } of findHostNames(text)) {
    const whole = parseDomain(name, options);
    const parse = whole.ok ? whole : parseDomain(name.replace(/:\d+$/, ''), options);
    if (parse.ok) domains.add(parse.domain);
  }
  return [...domains];
}
