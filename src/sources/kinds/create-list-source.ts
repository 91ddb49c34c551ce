import type { DomainOptions } from '../../model/domain/parse-domain.ts';
import type { ListPlan } from '../formats/list-page.ts';
import { readList } from '../read-list.ts';
import type { Source } from '../source.ts';
import type { WebLimits } from './source-settings.ts';

interface ListSourceSettings extends WebLimits {
  readonly type: string;
  readonly id?: string | undefined;
  readonly url: string;
}

/**
 * A list in JSON on the web as a source.
 * @param reads what it reads, where the URL alone does not say it: a part of its key
 */
export function createListSource(
  settings: ListSourceSettings,
  domains: DomainOptions,
  plan: ListPlan,
  reads = '',
): Source {
  const { type, id } = settings;
  const label = `${new URL(settings.url).href.replace(/\/$/, '')}${reads === '' ? '' : ` ${reads}`}`;
  return {
    type,
    key: id ?? `${type} ${label}`,
    label,
    host: new URL(settings.url).host,
    read: (context) => readList({ subject: `The source ${type} ${label}`, plan, limits: settings, domains, context }),
  };
}
