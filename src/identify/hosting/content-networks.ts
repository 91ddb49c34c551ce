import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';

/** The published ranges of a content network, in `data/content-networks.json`. */
interface ContentNetwork {
  readonly name: string;
  /** Where the network publishes them. */
  readonly source: string;
  /** The day on which they were published like this; null when unknown. */
  readonly date: string | null;
  /** CIDR blocks. */
  readonly ranges: readonly string[];
}

const FILE = new URL('../../../data/content-networks.json', import.meta.url);

let networks: readonly { name: string; blocks: BlockList }[] | undefined;

/** The content network of an address; null for any other address. The first call reads the ranges, which takes some milliseconds. */
export function contentNetworkOf(address: string): string | null {
  networks ??= readNetworks();
  return networks.find(({ blocks }) => blocks.check(address, familyOf(address)))?.name ?? null;
}

function readNetworks() {
  return (JSON.parse(readFileSync(FILE, 'utf8')) as readonly ContentNetwork[]).map(({ name, ranges }) => {
    const blocks = new BlockList();
    for (const range of ranges) {
      const [network = '', prefix] = range.split('/');
      blocks.addSubnet(network, Number(prefix), familyOf(network));
    }
    return { name, blocks };
  });
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
