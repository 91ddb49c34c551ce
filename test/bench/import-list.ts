/** Formats of a list in the import benchmark: `web` is JSON served by `lists.example`, the others are files. */
export const LIST_FORMATS = ['web', 'text', 'csv', 'json'] as const;
export type ListFormat = (typeof LIST_FORMATS)[number];

const INVALID = ['127.0.0.1', 'localhost', 'under_score.example', 'not a host', 'host.local', 'a..example', '10.1.2.3'];
const SOFTWARE = ['mastodon', 'misskey', 'lemmy', 'peertube', 'loops'];

/** A list with this many candidates. Of every hundred, one is a duplicate in capitals and one is invalid, for varying reasons. */
export function* listPieces(format: ListFormat, candidates: number): Iterable<string> {
  const { begin, entry, between, end } = SYNTAX[format];
  let piece = begin;
  for (let index = 0; index < candidates; index++) {
    piece += (index === 0 ? '' : between) + entry(nameOf(index), SOFTWARE[index % SOFTWARE.length] ?? 'loops');
    if (piece.length < 65_536) continue;
    yield piece;
    piece = '';
  }
  yield piece + end;
}

const asJson = (domain: string, software: string) => JSON.stringify({ domain, software });
const SYNTAX: Readonly<
  Record<ListFormat, { begin: string; entry: (name: string, software: string) => string; between: string; end: string }>
> = {
  web: { begin: '{"data":[', entry: asJson, between: ',', end: ']}' },
  text: { begin: '', entry: (name) => name, between: '\n', end: '\n' },
  csv: { begin: 'domain,software\n', entry: (name, software) => `${name},${software}`, between: '\n', end: '\n' },
  json: { begin: '[', entry: asJson, between: ',', end: ']' },
};

/** The factor scatters the names, so that they are not in the order of an index. */
function nameOf(index: number): string {
  const position = index % 100;
  if (position === 98) return `H${index - 1}-${Math.imul(index - 1, 2_654_435_761) >>> 0}.EXAMPLE.`;
  if (position === 99) return INVALID[Math.floor(index / 100) % INVALID.length] ?? 'localhost';
  return `h${index}-${Math.imul(index, 2_654_435_761) >>> 0}.example`;
}
