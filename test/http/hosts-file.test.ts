import { describe, expect, it } from 'vitest';
import { parseHostsFile, readHostsFile, withHostsFile } from '../../src/http/hosts-file.ts';
import { resolverOf } from './loopback.ts';

const text = [
  '# a comment',
  '127.0.0.1\tlocalhost  Loops.Example # ours',
  '::1 localhost',
  'fe80::1%lo0 localhost',
  '999.1.1.1 nobody.example',
  'no-address',
  '',
  '192.0.2.7 trailing.example.',
].join('\r\n');

describe('parseHostsFile', () => {
  it('returns all addresses of each name, in lower case', () => {
    const hosts = parseHostsFile(text);
    expect(hosts.get('localhost')).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
      { address: 'fe80::1%lo0', family: 6 },
    ]);
    expect(hosts.get('loops.example')).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(hosts.get('trailing.example')).toEqual([{ address: '192.0.2.7', family: 4 }]);
    expect([...hosts.keys()].sort()).toEqual(['localhost', 'loops.example', 'trailing.example']);
  });

  it('treats a missing file as empty', () => {
    expect(readHostsFile('/nowhere/hosts')).toEqual(new Map());
  });
});

describe('a resolver with a hosts file', () => {
  const resolver = withHostsFile(
    resolverOf({ 'dns.example': ['1.1.1.1'], 'loops.example': ['1.1.1.2'] }),
    parseHostsFile(text),
  );

  it('looks up a name in the file first, and then in the DNS', async () => {
    expect(await resolver.resolve('LOOPS.example')).toMatchObject({ addresses: [{ address: '127.0.0.1' }] });
    expect(await resolver.resolve('dns.example')).toMatchObject({ addresses: [{ address: '1.1.1.1' }] });
    expect(await resolver.resolve('none.example')).toEqual({ ok: false, failure: 'dns-nxdomain' });
  });
});
