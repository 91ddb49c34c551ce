import * as z from 'zod';
import type { DomainOptions } from '../../model/domain/parse-domain.ts';
import { csvItems } from '../formats/csv-items.ts';
import { linesOf } from '../formats/lines.ts';
import { toUtf8 } from '../formats/utf8.ts';
import { nextInLinkHeader } from '../next-page.ts';
import { faultOf, LIST_CURE } from '../read-list.ts';
import { type Source, type SourceContext, type SourceEnd, SourceError, type SourceItem } from '../source.ts';
import { refusePage, WebRun } from '../web-run.ts';
import { listedSoftware, webSourceSettings, webUrl } from './source-settings.ts';

const DOMAIN_COLUMNS = ['domain', 'host', 'hostname', 'instance', 'server', 'url'];

export const CsvSourceSettings = z
  .strictObject({
    ...webSourceSettings,
    type: z.literal('csv').describe('A CSV list on the web.'),
    url: webUrl('The list.'),
    key: z
      .string()
      .min(1)
      .optional()
      .describe(
        `The column that contains the domain. Default: ${DOMAIN_COLUMNS.join(', ')}, whichever comes first; without a header, the first column.`,
      ),
    software: listedSoftware,
    softwareKey: z.string().min(1).optional().describe('The column that contains the software.'),
  })
  .describe('A CSV list on the web, with or without a header; also a text with one domain per line.');
export type CsvSourceSettings = z.infer<typeof CsvSourceSettings>;

export function createCsvSource(settings: Readonly<CsvSourceSettings>, domains: DomainOptions): Source {
  const { href, host } = new URL(settings.url);
  return {
    type: 'csv',
    key: settings.id ?? `csv ${href}`,
    label: href,
    host,
    read: (context) => readCsv(settings, domains, context),
  };
}

async function* readCsv(
  settings: Readonly<CsvSourceSettings>,
  domains: DomainOptions,
  context: SourceContext,
): AsyncGenerator<SourceItem, SourceEnd> {
  const { key, softwareKey, software } = settings;
  const subject = `The source csv ${settings.url}`;
  const fail = (problem: string, cure: string) => new SourceError(subject, problem, cure, { kind: 'failure' });
  using run = new WebRun({ subject, context, limits: settings, cure: LIST_CURE });
  let lines = 0;
  const accept = 'text/csv, text/plain;q=0.9, */*;q=0.5';
  const answer = await run.fetch(new URL(settings.url), { accept, conditions: context.previous });
  if (answer.kind === 'none') return run.stop(answer, lines);
  run.setValidators(answer.status === 304 ? context.previous : answer);
  if (answer.status === 304) return run.end('unchanged');
  const text = linesOf(refusePage(toUtf8(run.countBytes(answer.body))));
  const columns = { keys: key === undefined ? DOMAIN_COLUMNS : [key], softwareKey, software };
  try {
    for await (const item of csvItems(text, columns, domains, fail)) {
      lines += 1;
      yield item;
    }
  } catch (error) {
    if (error instanceof SourceError) throw error;
    return run.stop(await faultOf(error, answer, 'CSV'), lines);
  }
  if (nextInLinkHeader(answer.headers.link) === null) return run.end('complete');
  return run.end('partial', 'its Link header announces another page, which is not read');
}
