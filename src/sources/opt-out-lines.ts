import type { Domain } from '../model/domain/domain.ts';
import { type DomainOptions, parseDomain } from '../model/domain/parse-domain.ts';
import { findHostNames } from '../model/opt-outs/find-host-names.ts';
import { withoutComment } from './formats/read-item.ts';
import { type Line, MAX_LINE_LENGTH } from './regular-file.ts';
import type { SourceRefusal } from './source.ts';

/**
 * A line of the opt-out file. `isPlain`: it contains one domain and nothing else. `refused`: why the line, or its rest, could not be read.
 */
export interface OptOutLine {
  readonly line: number;
  readonly domains: readonly Domain[];
  readonly isPlain: boolean;
  readonly refused: SourceRefusal | null;
}

/** Reads a file of opt-outs. Domains on malformed lines are opted out too. */
export async function* optOutLines(lines: AsyncIterable<Line>, options: DomainOptions): AsyncGenerator<OptOutLine> {
  for await (const { number: line, text } of lines) {
    const content = withoutComment(text);
    if (content === '') continue;
    const parse = parseDomain(content, options);
    if (parse.ok) {
      yield { line, domains: [parse.domain], isPlain: true, refused: null };
      continue;
    }
    const domains = domainsIn(content, options);
    // The rest of a truncated line was not read.
    const isTruncated = text.length >= MAX_LINE_LENGTH;
    yield {
      line,
      domains,
      isPlain: false,
      refused: isTruncated ? 'too-long' : domains.length === 0 ? parse.reason : null,
    };
  }
}

/** Every domain in a text: `*.loops.example ; gone` contains `loops.example`. An invalid port is ignored. */
function domainsIn(text: string, options: DomainOptions): Domain[] {
  const domains = new Set<Domain>();
  for (const { name } of findHostNames(text)) {
    const whole = parseDomain(name, options);
    const parse = whole.ok ? whole : parseDomain(name.replace(/:\d+$/, ''), options);
    if (parse.ok) domains.add(parse.domain);
  }
  return [...domains];
}
