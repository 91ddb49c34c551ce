import { describe, expect, it } from 'vitest';
import { redirectUriProblem } from '../../../src/reference/oauth/app-registration.ts';

const handledElsewhere = 'which a browser or an operating system handles itself';

/** Schemes that browsers, operating systems or other programs handle. */
const reservedSchemes =
  `about acap android-app blob brave callto chrome chrome-extension chrome-search chrome-untrusted cid content
  data devtools dns edge facetime feed file filesystem ftp ftps geo gopher intent irc isolated-app itms jar javascript livescript
  magnet mailto maps mhtml mocha moz-extension moz-icon moz-safe-about ms-appx ms-browser-extension ms-excel ms-msdt ms-settings
  ms-word msteams news onedrive opera resource safari-extension search search-ms shell shortcuts skype sms slack ssh steam tel
  telnet urn vbscript view-source vivaldi vscode wais webcal wss ws wyciwyg x-apple x-web-search xmpp zoommtg`.split(
    /\s+/,
  );

describe('redirectUriProblem', () => {
  it.each(reservedSchemes)('refuses every URI of the scheme %s', (scheme) => {
    const fault = `must not have the scheme ${scheme}, ${handledElsewhere}`;
    for (const written of [scheme, scheme.toUpperCase()]) {
      for (const rest of [
        '',
        '//client.example/',
        '/callback',
        'javascript:alert(1)',
        'https://client.example/',
        '//a.b',
      ]) {
        const uri = `${written}:${rest}`;
        expect([uri, redirectUriProblem(uri)]).toEqual([uri, URL.canParse(uri) ? fault : 'must be an absolute URI']);
      }
    }
  });

  it.each([
    'https://client.example/callback',
    'https://client.example',
    'https://client.example:8443/a/b?c=d&e=%20',
    'https://client.example/*',
    'http://127.0.0.1:4321/cb',
    'http://localhost/cb',
    'http://[::1]:80/cb',
    'com.example.app:/oauth',
    'com.example.app://callback?a=b',
    'COM.EXAMPLE.APP:/oauth',
    'a.b:/2',
    'my-app://callback',
    'my-app://client.example/callback',
    'urn:ietf:wg:oauth:2.0:oob',
  ])('accepts %s', (uri) => {
    expect(redirectUriProblem(uri)).toBeUndefined();
  });

  it.each([
    ['', 'must be an absolute URI of printable ASCII characters'],
    ['/callback', 'must be an absolute URI'],
    ['//client.example/callback', 'must be an absolute URI'],
    ['client.example/callback', 'must be an absolute URI'],
    ['https://', 'must be an absolute URI'],
    ['https:///callback', 'must name a host'],
    ['https:client.example', 'must name a host'],
    ['https:/client.example', 'must name a host'],
    ['https://client.example/#', 'must not have a fragment'],
    ['https://client.example/#code=1', 'must not have a fragment'],
    ['com.example.app://callback#x', 'must not have a fragment'],
    ['https://user@client.example/', 'must not have a user name'],
    ['https://user:word@client.example/', 'must not have a user name'],
    ['https://@client.example/', 'must not have a user name'],
    ['com.example.app://user@host/', 'must not have a user name'],
    ['https://client.example/a b', 'must be an absolute URI of printable ASCII characters'],
    ['https://client.example/\r\nSet-Cookie: a=b', 'must be an absolute URI of printable ASCII characters'],
    ['https://client.example/\0', 'must be an absolute URI of printable ASCII characters'],
    ['https://client.example\\@evil.example/', 'must be an absolute URI of printable ASCII characters'],
    ['https://clïent.example/', 'must be an absolute URI of printable ASCII characters'],
    ['https://client.example/%zz', 'must be an absolute URI of printable ASCII characters'],
    ['https://client.example/"><script>', 'must be an absolute URI of printable ASCII characters'],
    ['JavaScript://client.example/%0aalert(1)', `must not have the scheme javascript, ${handledElsewhere}`],
    ['my-app:callback', 'must have // after the scheme my-app'],
    ['httpsx:client.example', 'must have // after the scheme httpsx'],
    ['urn:ietf:wg:oauth:2.0:oob:auto', `must not have the scheme urn, ${handledElsewhere}`],
    [`https://client.example/${'a'.repeat(2_000)}`, 'must not be longer than 2000 characters'],
  ])('says of %j that it %s', (uri, fault) => {
    expect(redirectUriProblem(uri)).toBe(fault);
  });
});
