import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAddressGuard, FORBIDDEN_RANGES } from '../../src/http/address-guard.ts';

const guard = createAddressGuard([]);

/**
 * Each forbidden range, its first and last address that no earlier range contains, and the addresses next to the range, each with
 * the other forbidden range that contains it, or null.
 */
const ranges: [cidr: string, first: string, last: string, neighbours: [address: string, cidr: string | null][]][] = [
  ['0.0.0.0/8', '0.0.0.0', '0.255.255.255', [['1.0.0.0', null]]],
  [
    '10.0.0.0/8',
    '10.0.0.0',
    '10.255.255.255',
    [
      ['9.255.255.255', null],
      ['11.0.0.0', null],
    ],
  ],
  [
    '100.64.0.0/10',
    '100.64.0.0',
    '100.127.255.255',
    [
      ['100.63.255.255', null],
      ['100.128.0.0', null],
    ],
  ],
  [
    '127.0.0.0/8',
    '127.0.0.0',
    '127.255.255.255',
    [
      ['126.255.255.255', null],
      ['128.0.0.0', null],
    ],
  ],
  [
    '169.254.0.0/16',
    '169.254.0.0',
    '169.254.255.255',
    [
      ['169.253.255.255', null],
      ['169.255.0.0', null],
    ],
  ],
  [
    '172.16.0.0/12',
    '172.16.0.0',
    '172.31.255.255',
    [
      ['172.15.255.255', null],
      ['172.32.0.0', null],
    ],
  ],
  [
    '192.0.0.0/24',
    '192.0.0.0',
    '192.0.0.255',
    [
      ['191.255.255.255', null],
      ['192.0.1.0', null],
    ],
  ],
  [
    '192.0.2.0/24',
    '192.0.2.0',
    '192.0.2.255',
    [
      ['192.0.1.255', null],
      ['192.0.3.0', null],
    ],
  ],
  [
    '192.88.99.0/24',
    '192.88.99.0',
    '192.88.99.255',
    [
      ['192.88.98.255', null],
      ['192.88.100.0', null],
    ],
  ],
  [
    '192.168.0.0/16',
    '192.168.0.0',
    '192.168.255.255',
    [
      ['192.167.255.255', null],
      ['192.169.0.0', null],
    ],
  ],
  [
    '198.18.0.0/15',
    '198.18.0.0',
    '198.19.255.255',
    [
      ['198.17.255.255', null],
      ['198.20.0.0', null],
    ],
  ],
  [
    '198.51.100.0/24',
    '198.51.100.0',
    '198.51.100.255',
    [
      ['198.51.99.255', null],
      ['198.51.101.0', null],
    ],
  ],
  [
    '203.0.113.0/24',
    '203.0.113.0',
    '203.0.113.255',
    [
      ['203.0.112.255', null],
      ['203.0.114.0', null],
    ],
  ],
  [
    '224.0.0.0/4',
    '224.0.0.0',
    '239.255.255.255',
    [
      ['223.255.255.255', null],
      ['240.0.0.0', '240.0.0.0/4'],
    ],
  ],
  ['240.0.0.0/4', '240.0.0.0', '255.255.255.255', [['239.255.255.255', '224.0.0.0/4']]],
  ['::/128', '::', '0:0:0:0:0:0:0:0', [['::1', '::1/128']]],
  [
    '::1/128',
    '::1',
    '0:0:0:0:0:0:0:1',
    [
      ['::', '::/128'],
      ['::2', '::/96'],
    ],
  ],
  ['::/96', '::2', '::ffff:ffff', [['::1:0:0', '::/3']]],
  [
    '::ffff:0:0:0/96',
    '::ffff:0:0:0',
    '::ffff:0:ffff:ffff',
    [
      ['::fffe:ffff:ffff:ffff', '::/3'],
      ['::ffff:1:0:0', '::/3'],
    ],
  ],
  [
    '64:ff9b:1::/48',
    '64:ff9b:1::',
    '64:ff9b:1:ffff:ffff:ffff:ffff:ffff',
    [
      ['64:ff9b:0:ffff:ffff:ffff:ffff:ffff', '::/3'],
      ['64:ff9b:2::', '::/3'],
    ],
  ],
  [
    '100::/64',
    '100::',
    '100::ffff:ffff:ffff:ffff',
    [
      ['ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '::/3'],
      ['100:0:0:1::', '::/3'],
    ],
  ],
  [
    '2001::/23',
    '2001::',
    '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
    [
      ['2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null],
      ['2001:200::', null],
    ],
  ],
  [
    '2001:db8::/32',
    '2001:db8::',
    '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    [
      ['2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', null],
      ['2001:db9::', null],
    ],
  ],
  [
    '2002::/16',
    '2002::',
    '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    [
      ['2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null],
      ['2003::', null],
    ],
  ],
  [
    '3fff::/20',
    '3fff::',
    '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
    [
      ['3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null],
      ['3fff:1000::', null],
    ],
  ],
  [
    '5f00::/16',
    '5f00::',
    '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    [
      ['5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '4000::/2'],
      ['5f01::', '4000::/2'],
    ],
  ],
  [
    'fc00::/7',
    'fc00::',
    'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    [
      ['fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '8000::/1'],
      ['fe00::', '8000::/1'],
    ],
  ],
  [
    'fe80::/10',
    'fe80::',
    'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    [
      ['fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '8000::/1'],
      ['fec0::', 'fec0::/10'],
    ],
  ],
  [
    'fec0::/10',
    'fec0::',
    'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    [
      ['febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fe80::/10'],
      ['ff00::', 'ff00::/8'],
    ],
  ],
  [
    'ff00::/8',
    'ff00::',
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    [['feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fec0::/10']],
  ],
  ['::/3', '::1:0:0', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', [['2000::', null]]],
  [
    '4000::/2',
    '4000::',
    '7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    [
      ['3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null],
      ['8000::', '8000::/1'],
    ],
  ],
  ['8000::/1', '8000::', 'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', []],
];

describe('the table of forbidden ranges', () => {
  it('contains exactly the tested ranges, and names an RFC for each', () => {
    expect(ranges.map(([cidr]) => cidr)).toEqual(FORBIDDEN_RANGES.map(({ cidr }) => cidr));
    for (const { source, what } of FORBIDDEN_RANGES) {
      expect(source).toMatch(/^RFC \d+$/);
      expect(what).not.toBe('');
    }
  });

  it.each(ranges)(
    'applies the range %s from its first address to its last, and not to the neighbouring addresses',
    (cidr, first, last, neighbours) => {
      expect(guard(first)?.cidr).toBe(cidr);
      expect(guard(last)?.cidr).toBe(cidr);
      for (const [address, otherCidr] of neighbours) expect(guard(address)?.cidr ?? null, address).toBe(otherCidr);
    },
  );
});

describe('the address guard', () => {
  it.each(['1.1.1.1', '93.184.215.14', '2606:4700:4700::1111', '2a01:4f8::1'])('allows %s', (address) => {
    expect(guard(address)).toBeNull();
  });

  it.each([
    ['IPv4-mapped', '::ffff:127.0.0.1', '127.0.0.0/8'],
    ['hexadecimal IPv4-mapped', '::ffff:7f00:1', '127.0.0.0/8'],
    ['uncompressed IPv4-mapped', '0:0:0:0:0:ffff:a9fe:a9fe', '169.254.0.0/16'],
    ['upper-case IPv4-mapped', '::FFFF:10.1.2.3', '10.0.0.0/8'],
    ['NAT64', '64:ff9b::192.168.1.1', '192.168.0.0/16'],
    ['hexadecimal NAT64', '64:ff9b::7f00:1', '127.0.0.0/8'],
  ])('forbids an IPv6 address because of the IPv4 address that it embeds: %s', (_what, address, cidr) => {
    expect(guard(address)?.cidr).toBe(cidr);
  });

  it.each(['::1.1.1.1', '::ffff:0:1.1.1.1', '::127.0.0.1', '1000::1', 'fe00::1'])(
    'forbids %s, which is not global unicast, whatever address it embeds',
    (address) => {
      expect(guard(address)?.source).toMatch(/^RFC \d+$/);
    },
  );

  it.each(['::ffff:1.1.1.1', '64:ff9b::101:101'])('allows %s, because the embedded address is public', (address) => {
    expect(guard(address)).toBeNull();
  });

  it.each(['[::1]', '::1%lo', '[fe80::1%25eth0]', 'fe80::1%1', '[::ffff:127.0.0.1]'])(
    'forbids %s despite its brackets or zone id',
    (text) => {
      expect(guard(text)?.source).toMatch(/^RFC \d+$/);
      expect(guard(text)?.cidr).not.toBe('');
    },
  );

  it.each([
    '',
    ' ',
    'localhost',
    'server.example',
    '1.2.3.4.5',
    '256.1.1.1',
    '1.1.1.1/32',
    '::g',
    '1.1.1.1:443',
    ':::',
  ])('refuses %j, which is not an address', (text) => {
    expect(guard(text)).not.toBeNull();
  });

  it('never throws, and refuses text with characters that no address contains', () => {
    const text = fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-fx:.%[\]]{0,40}$/));
    fc.assert(
      fc.property(text, (written) => {
        const isAllowed = guard(written) === null;
        if (/[^0-9a-fx:.[\]]/i.test(written.replace(/%.*$/, ''))) expect(isAllowed).toBe(false);
      }),
    );
  });
});

describe('network.allow', () => {
  it('exempts its blocks only', () => {
    const lenient = createAddressGuard(['127.0.0.1/32', 'fd00::/64']);
    expect(lenient('127.0.0.1')).toBeNull();
    expect(lenient('::ffff:127.0.0.1')).toBeNull();
    expect(lenient('[fd00::1]')).toBeNull();
    expect(lenient('127.0.0.2')?.cidr).toBe('127.0.0.0/8');
    expect(lenient('fd00:0:0:1::')?.cidr).toBe('fc00::/7');
    expect(lenient('::1')?.cidr).toBe('::1/128');
  });

  it('refuses invalid text even with the widest blocks', () => {
    expect(createAddressGuard(['0.0.0.0/0', '::/0'])('server.example')).not.toBeNull();
  });
});
