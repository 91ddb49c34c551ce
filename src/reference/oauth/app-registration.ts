import type { NewApp } from '../data/apps.ts';
import { redirectUriFault } from './redirect-uri.ts';
import { parseScopes } from './scopes.ts';

/** What is wrong with each field, in whole sentences. */
export type FieldErrors = Record<string, string[]>;

/** How much an app may register. */
export const registrationLimits = { nameLength: 255, websiteLength: 2_000, redirectUris: 20 };

const controlCharacter = /\p{Cc}/u;
// Letters, digits, punctuation and symbols, but for those that are drawn as nothing (the last two are blank by their shape).
const visibleCharacter = /(?![\p{Default_Ignorable_Code_Point}\u{2800}\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u;

/** Reads the body of `POST /api/v1/apps`, JSON or form (specification section 4.3): the app, or everything that is wrong. */
export function readAppRegistration(body: unknown): { app: NewApp } | { errors: FieldErrors } {
  const fields = new Map<string, unknown>(
    typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.entries(body) : [],
  );
  const errors: FieldErrors = {};
  const note = (field: string, fault: string | undefined) => {
    if (fault !== undefined) errors[field] = [`The ${field.replaceAll('_', ' ')} ${fault}.`];
  };
  const text = (field: string): string => {
    const value = fields.get(field) ?? '';
    if (typeof value === 'string') return value;
    note(field, 'field must be a string');
    return '';
  };

  const name = text('client_name');
  if (errors.client_name === undefined) note('client_name', nameFault(name));
  const redirectUris = readRedirectUris(fields);
  note('redirect_uris', redirectUrisFault(redirectUris));
  const website = text('website');
  if (errors.website === undefined) note('website', websiteFault(website));
  const scopes = parseScopes(text('scopes'));
  if (scopes === undefined) note('scopes', 'field must be a list of read, write and follow with single spaces between');
  if (Object.keys(errors).length > 0 || redirectUris === undefined || scopes === undefined) return { errors };
  return { app: { name, website, redirectUris, scopes } };
}

/** A string with one URI or one a line, or a list, which a form repeats as `redirect_uris[]`; each once. Undefined: of a wrong type. */
function readRedirectUris(fields: ReadonlyMap<string, unknown>): string[] | undefined {
  const keys = [...fields.keys()].filter((key) => /^redirect_uris(?:\[\d*\])?$/.test(key));
  const uris: string[] = [];
  for (const value of keys.flatMap((key) => fields.get(key) ?? [])) {
    if (typeof value !== 'string') return undefined;
    uris.push(...value.split(/\r\n?|\n/));
  }
  return [...new Set(uris.map((uri) => uri.trim()).filter((uri) => uri !== ''))];
}

function redirectUrisFault(uris: readonly string[] | undefined): string | undefined {
  if (uris === undefined) return 'field must be a string or a list of strings';
  if (uris.length === 0) return 'field is required';
  if (uris.length > registrationLimits.redirectUris) {
    return `field must not have more than ${registrationLimits.redirectUris} entries`;
  }
  return uris.map(redirectUriFault).find((fault) => fault !== undefined);
}

function nameFault(name: string): string | undefined {
  if (name.trim() === '') return 'field is required';
  const { nameLength } = registrationLimits;
  if (name.length > nameLength) return `field must not be longer than ${nameLength} characters`;
  if (!isPlain(name)) return 'field must not have control characters';
  return visibleCharacter.test(name) ? undefined : 'field must have a character that can be seen';
}

/** Only addresses of the web: the consent page links to it. */
function websiteFault(website: string): string | undefined {
  if (website === '') return undefined;
  const { websiteLength } = registrationLimits;
  if (website.length > websiteLength) return `field must not be longer than ${websiteLength} characters`;
  if (!isPlain(website) || !/^https?:\/\/[^/?#]/i.test(website) || !URL.canParse(website)) {
    return 'field must be an http or https URL';
  }
  return undefined;
}

function isPlain(text: string): boolean {
  return text.isWellFormed() && !controlCharacter.test(text);
}
