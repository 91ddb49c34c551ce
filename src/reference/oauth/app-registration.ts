import type { NewApp } from '../data/apps.ts';
import { parseScopes } from './scopes.ts';

/**
 * Schemes that a browser, an operating system or a common program acts on itself: run, read, wrap or open something. A redirect there
 * would hand the code to that, so no app may register one. From IANA's registry and the sources of the browsers.
 */
const takenSchemes: ReadonlySet<string> = new Set(
  `
    about acap afp aim android-app app-settings applewebdata bitcoin blob brave cached-favicon callto chrome
    chrome-distiller chrome-error chrome-extension chrome-native chrome-search chrome-untrusted cid content data
    devtools dns edge facetime feed file filesystem ftp ftps geo gopher intent irc isolated-app itms itms-apps
    itms-services jar javascript ldap ldaps livescript magnet mailto maps market mhtml microsoft-edge mms mocha
    moz-anno moz-extension moz-icon moz-page-thumb moz-safe-about ms-access ms-appinstaller ms-appx
    ms-browser-extension ms-excel ms-gamebar ms-infopath ms-msdt ms-officecmd ms-powerpoint ms-project ms-publisher
    ms-search ms-settings ms-visio ms-windows-store ms-word msteams news nfs nntp onedrive opera otpauth prefs rdp
    resource rtsp rtsps safari-extension safari-web-extension search search-ms shell shortcuts sip sips skype slack
    smb sms ssh steam tel telnet urn vbscript view-source vivaldi vnc vscode wais webcal webkit ws wss wyciwyg x-apple
    x-web-search xmpp ymsgr zoommtg
  `
    .trim()
    .split(/\s+/),
);

/** The redirect URI of clients that nothing can be redirected to: the code is shown to the user, who copies it. */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

const longestRedirectUri = 2_000;

// The characters of RFC 3986: nothing that a header, a log or a page would have to escape.
const uriCharacters = /^(?:[\w\-.~!$&'()*+,;=:@/?#[\]]|%[\da-f]{2})+$/i;

/**
 * Why a redirect URI may not be registered, as the end of a sentence about it; undefined when it may. What is registered is
 * compared as text, so that there is nothing to normalise and nothing to be fooled by (RFC 9700 section 2.1).
 */
export function redirectUriFault(uri: string): string | undefined {
  if (uri === outOfBand) return undefined;
  if (uri.length > longestRedirectUri) return `must not be longer than ${longestRedirectUri} characters`;
  if (!uriCharacters.test(uri)) return 'must be an absolute URI of printable ASCII characters';
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  if (scheme === undefined || !URL.canParse(uri)) return 'must be an absolute URI';
  if (takenSchemes.has(scheme)) return `must not have the scheme ${scheme}, which a browser or a system acts on itself`;
  if (uri.includes('#')) return 'must not have a fragment';
  const isWeb = scheme === 'http' || scheme === 'https';
  // A URL parser forgives `https:/host` and `https:host`; no other reader has to.
  if (isWeb && !/^https?:\/\/[^/?]/i.test(uri)) return 'must name a host';
  // An app's scheme should be a domain name turned round (RFC 8252 section 7.1). One that is not must at least look like an address.
  if (!isWeb && !scheme.includes('.') && !/^[^:]+:\/\//.test(uri)) return `must have // after the scheme ${scheme}`;
  if (/^[^/?]*\/\/[^/?]*@/.test(uri)) return 'must not have a user name';
  return undefined;
}

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
