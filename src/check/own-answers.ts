import { originOf } from '../domain/domain.ts';
import type { Evidence } from './evidence.ts';
import type { Exchange } from './exchange.ts';
import { REQUEST_NAMES, type RequestName } from './request-name.ts';

/** The requests that were made to the host itself over https, those without an answer included, in the order of their names. */
export function ownAnswers({ answers, domain }: Evidence): { name: RequestName; exchange: Exchange }[] {
  const origin = originOf(domain);
  return REQUEST_NAMES.flatMap((name) => {
    const exchange = answers[name];
    if (exchange === null || !URL.canParse(exchange.url) || new URL(exchange.url).origin !== origin) return [];
    return [{ name, exchange }];
  });
}
