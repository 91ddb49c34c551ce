import type { Domain } from './domain.ts';

const form = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::[1-9]\d{0,4})?$/;

/**
 * A domain read back from where only parsed domains are written, such as our own database. Suffixes are not judged
 * again: the public suffix list and the settings may have changed since.
 * @throws TypeError when the text does not have the form of a Domain, which means that the store is damaged
 */
export function storedDomain(text: string): Domain {
  if (!form.test(text))
    throw new TypeError(`"${text}" is not a stored domain: the store is damaged; restore a backup.`);
  return text as Domain;
}
