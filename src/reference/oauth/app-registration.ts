import type { NewApp } from '../data/apps.ts';
import type { Profile } from '../state.ts';
import { readScopes, scopesOf } from './scopes.ts';

/**
 * Schemes that a browser, an operating system or a common program handles itself. A redirect to one would hand the code to that
 * program, so no app may register it. The list comes from the IANA registry and from browsers.
 */
const reservedSchemes: ReadonlySet<string> = new Set(
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

/** The redirect URI of out-of-band clients: the user copies the code from a page. */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

const maxRedirectUriLength = 2_000;

// Characters and percent-encodings of RFC 3986. None of them can end a header or begin an HTML tag.
const uriCharacters = /^(?:[\w\-.~!$&'()*+,;=:@/?#[\]]|%[\da-f]{2})+$/i;

/**
 * The reason why a redirect URI may not be registered, as the predicate of a sentence; undefined when it is valid. Later, an
 * authorization request must have the same URI, character by character (RFC 9700 section 2.1); only the port of a loopback
 * address may differ.
 */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri === outOfBand) return undefined;
  if (uri.length > maxRedirectUriLength) return `must not be longer than ${maxRedirectUriLength} characters`;
  if (!uriCharacters.test(uri)) return 'must be an absolute URI of printable ASCII characters';
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  if (scheme === undefined || !URL.canParse(uri)) return 'must be an absolute URI';
  if (reservedSchemes.has(scheme))
    return `must not have the scheme ${scheme}, which a browser or an operating system handles itself`;
  if (uri.includes('#')) return 'must not have a fragment';
  const isHttp = scheme === 'http' || scheme === 'https';
  // URL parsers accept `https:/host` and `https:host`; other software may not.
  if (isHttp && !/^https?:\/\/[^/?]/i.test(uri)) return 'must name a host';
  // The scheme of an app should be a reversed domain name (RFC 8252 section 7.1); any other scheme must be followed by `//`.
  if (!isHttp && !scheme.includes('.') && !/^[^:]+:\/\//.test(uri)) return `must have // after the scheme ${scheme}`;
  // An `@` before the path or query ends a user name.
  if (/^[^/?]*\/\/[^/?]*@/.test(uri)) return 'must not have a user name';
  return undefined;
}

/** The errors of each field, as sentences. */
export type FieldErrors = Record<string, string[]>;

/** The limits of a registration, in characters and URIs. */
export const registrationLimits = { nameLength: 255, websiteLength: 2_000, redirectUris: 20 };

const controlCharacter = /\p{Cc}/u;
// Letters, digits, punctuation and symbols, except invisible ones; U+2800 and U+1D159 have blank glyphs.
const visibleCharacter = /(?![\p{Default_Ignorable_Code_Point}\u{2800}\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Reads the body of `POST /api/v1/apps`, JSON or form (specification section 4.3). Returns the app or every error. Live servers require
 * `redirect_uris` to be a list, and ignore `scopes` and `website`.
 */
export function readAppRegistration(body: unknown, profile: Profile): { app: NewApp } | { errors: FieldErrors } {
  const fields = new Map<string, unknown>(
    typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.entries(body) : [],
  );
  const errors: FieldErrors = {};
  const addError = (field: string, problem: string | undefined) => {
    if (problem !== undefined) errors[field] = [`The ${field.replaceAll('_', ' ')} ${problem}.`];
  };
  const textOf = (field: string): string => {
    const value = fields.get(field) ?? '';
    if (typeof value === 'string') return value;
    addError(field, 'field must be a string');
    return '';
  };

  const name = textOf('client_name');
  if (errors.client_name === undefined) addError('client_name', nameProblem(name));
  const redirectUris = readRedirectUris(fields);
  addError('redirect_uris', redirectUrisProblem(redirectUris));
  if (profile === 'live') {
    if (typeof fields.get('redirect_uris') === 'string') addError('redirect_uris', 'field must be an array');
    if (Object.keys(errors).length > 0 || redirectUris === undefined) return { errors };
    return { app: { name, website: '', redirectUris, scopes: scopesOf.live } };
  }
  const website = textOf('website');
  if (errors.website === undefined) addError('website', websiteProblem(website));
  const { scopes, problem } = readScopes(textOf('scopes'), profile);
  if (problem !== undefined) errors.scopes ??= [problem];
  if (Object.keys(errors).length > 0 || redirectUris === undefined || scopes === undefined) return { errors };
  return { app: { name, website, redirectUris, scopes } };
}

/**
 * The distinct URIs of a string with one URI per line, or of a list, which a form sends as several `redirect_uris[]` fields.
 * Undefined when a value has the wrong type.
 */
function readRedirectUris(fields: ReadonlyMap<string, unknown>): string[] | undefined {
  const keys = [...fields.keys()].filter((key) => /^redirect_uris(?:\[\d*\])?$/.test(key));
  const uris: string[] = [];
  for (const value of keys.flatMap((key) => fields.get(key) ?? [])) {
    if (typeof value !== 'string') return undefined;
    uris.push(...value.split(/\r\n?|\n/));
  }
  return [...new Set(uris.map((uri) => uri.trim()).filter((uri) => uri !== ''))];
}

function redirectUrisProblem(uris: readonly string[] | undefined): string | undefined {
  if (uris === undefined) return 'field must be a string or a list of strings';
  if (uris.length === 0) return 'field is required';
  if (uris.length > registrationLimits.redirectUris) {
    return `field must not have more than ${registrationLimits.redirectUris} entries`;
  }
  return uris.map(redirectUriProblem).find((problem) => problem !== undefined);
}

function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'field is required';
  const { nameLength } = registrationLimits;
  if (name.length > nameLength) return `field must not be longer than ${nameLength} characters`;
  if (!isValidText(name)) return 'field must not have control characters';
  return visibleCharacter.test(name) ? undefined : 'field must have a visible character';
}

/** Only http and https URLs, because the consent page links to them. */
function websiteProblem(website: string): string | undefined {
  if (website === '') return undefined;
  const { websiteLength } = registrationLimits;
  if (website.length > websiteLength) return `field must not be longer than ${websiteLength} characters`;
  if (!isValidText(website) || !/^https?:\/\/[^/?#]/i.test(website) || !URL.canParse(website)) {
    return 'field must be an http or https URL';
  }
  return undefined;
}

function isValidText(text: string): boolean {
  return text.isWellFormed() && !controlCharacter.test(text);
}
