import type { Domain } from './domain.ts';
import { type DomainOptions, parseDomain } from './parse-domain.ts';
import type { WrittenName } from './written-name.ts';
import { writtenNames } from './written-names.ts';

/** Every domain that a text names, whatever else it says: `*.loops.example ; gone` names `loops.example`. Where a port is none, its host is meant. */
export function domainsIn(text: string, options: DomainOptions = {}): Domain[] {
  const domains = new Set<Domain>();
  const add = ({ name, within }: WrittenName): void => {
    if (name !== null) {
      const parse = parseDomain(name, options);
      const whole = parse.ok ? parse : parseDomain(name.replace(/:\d+$/, ''), options);
      if (whole.ok) domains.add(whole.domain);
    }
    within.forEach(add);
  };
  writtenNames(Buffer.from(text)).forEach(add);
  return [...domains];
}
