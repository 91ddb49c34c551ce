import { describe, expect, it } from 'vitest';
import { redirectUriFault } from '../../../src/reference/oauth/redirect-uri.ts';

describe('redirectUriFault', () => {
  it.each([
    'https://client.example/callback',
    'https://client.example',
    'https://client.example:8443/a/b?c=d&e=%20',
    'http://127.0.0.1:4321/cb',
    'http://localhost/cb',
    'http://[::1]:80/cb',
    'com.example.app:/oauth',
    'my-app://callback',
    'urn:ietf:wg:oauth:2.0:oob',
  ])('lets %s be registered', (uri) => {
    expect(redirectUriFault(uri)).toBeUndefined();
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
    ['my-app://callback#x', 'must not have a fragment'],
    ['https://user@client.example/', 'must not have a user name'],
    ['https://user:word@client.example/', 'must not have a user name'],
    ['https://@client.example/', 'must not have a user name'],
    ['my-app://user@host/', 'must not have a user name'],
    ['https://client.example/a b', 'must be an absolute URI of printable ASCII characters'],
    ['https://client.example/\r\nSet-Cookie: a=b', 'must be an absolute URI of printable ASCII characters'],
    ['https://client.example/\0', 'must be an absolute URI of printable ASCII characters'],
    ['https://client.example\\@evil.example/', 'must be an absolute URI of printable ASCII characters'],
    ['https://clïent.example/', 'must be an absolute URI of printable ASCII characters'],
    ['https://client.example/%zz', 'must be an absolute URI of printable ASCII characters'],
    ['https://client.example/"><script>', 'must be an absolute URI of printable ASCII characters'],
    ['https://client.example/*', undefined],
    ['javascript:alert(1)', 'must not have the scheme javascript'],
    ['JavaScript://client.example/%0aalert(1)', 'must not have the scheme javascript'],
    ['data:text/html,x', 'must not have the scheme data'],
    ['vbscript:x', 'must not have the scheme vbscript'],
    ['file:///etc/passwd', 'must not have the scheme file'],
    ['blob:https://a.example/1', 'must not have the scheme blob'],
    ['about:blank', 'must not have the scheme about'],
    ['urn:ietf:wg:oauth:2.0:oob:auto', 'must not have the scheme urn'],
    [`https://client.example/${'a'.repeat(2_000)}`, 'must not be longer than 2000 characters'],
  ])('says of %j that it %s', (uri, fault) => {
    expect(redirectUriFault(uri)).toBe(fault);
  });
});
