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

export const longestRedirectUri = 2_000;

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
