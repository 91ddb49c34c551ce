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
 * A source for a JSON list on the web.
 *
 * @param detail added to the key when the URL alone does not identify the list.
 */
export function createListSource(
  settings: ListSourceSettings,
  domains: DomainOptions,
  plan: ListPlan,
  detail = '',
): Source {
  const { type, id } = settings;
  const label = `${new URL(settings.url).href.replace(/\/$/, '')}${detail === '' ? '' : ` ${detail}`}`;
  return {
    type,
    key: id ?? `${type} ${label}`,
    label,
    host: new URL(settings.url).host,
    read: (context) => readList({ subject: `The source ${type} ${label}`, plan, limits: settings, domains, context }),
  };
}
