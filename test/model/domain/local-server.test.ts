import { describe, expect, it } from 'vitest';
import { hostOf, isLocal, originOf, portOf } from '../../../src/model/domain/domain.ts';
import { parseLocalServer } from '../../../src/model/domain/local-server.ts';
import { parseDomain } from '../../../src/model/domain/parse-domain.ts';

describe('parseLocalServer', () => {
  it.for<[text: string, domain: string, host: string, port: number]>([
    ['http://127.0.0.1:8089', '127.0.0.1:8089', '127.0.0.1', 8089],
    ['http://127.8.9.10:80/', '127.8.9.10', '127.8.9.10', 80],
    [' http://LocalHost:8089/explore?a=b ', 'localhost:8089', 'localhost', 8089],
    ['http://[::1]:8089', '[::1]:8089', '[::1]', 8089],
    ['http://[0:0::1]', '[::1]', '[::1]', 80],
    ['http://0x7f.1:8089', '127.0.0.1:8089', '127.0.0.1', 8089],
  ])('reads %s', ([text, domain, host, port]) => {
    const parsed = parseLocalServer(text) ?? expect.fail();
    expect([parsed, hostOf(parsed), portOf(parsed), originOf(parsed)]).toEqual([
      domain,
      host,
      port,
      `http://${domain}`,
    ]);
  });

  it.for([
    'https://127.0.0.1:8089',
    '127.0.0.1:8089',
    'localhost',
    'http://me:secret@127.0.0.1:8089',
    'http://10.0.0.1:8089',
    'http://169.254.169.254/',
    'http://0.0.0.0:8089',
    'http://[::ffff:127.0.0.1]:8089',
    'http://[::]:8089',
    'http://[fd00::1]',
    'http://localhost.example.org',
    'http://127.0.0.1.example.org',
    'http://a.localhost:8089',
    'http://loops.example',
    'http://',
    '',
  ])('refuses %j', (text) => {
    expect(parseLocalServer(text)).toBeNull();
  });
});

it('parseDomain never returns a local server', () => {
  const texts = ['http://127.0.0.1:8089', '127.0.0.1:8089', '127.1', '2130706433', '0x7f.0.0.1', '[::1]:8089', '::1'];
  const names = ['localhost', 'http://localhost:8089', 'localhost.', 'ada@localhost', 'acct:ada@127.0.0.1'];
  for (const text of [...texts, ...names]) {
    const parse = parseDomain(text, { allowSuffixes: ['localhost', 'local', '1'] });
    expect([text, parse.ok]).toEqual([text, false]);
  }
  for (const text of ['localhost.example.org', '127.0.0.1.example.org:8089']) {
    const parse = parseDomain(text);
    expect([text, parse.ok && isLocal(parse.domain)]).toEqual([text, false]);
  }
});
