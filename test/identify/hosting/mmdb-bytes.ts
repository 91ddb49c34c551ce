import ipaddr from 'ipaddr.js';

type Value = string | number | bigint | readonly Value[] | { readonly [key: string]: Value };
/** A node of the search tree, or a record; undefined: nothing is known. */
type Branch = [Branch, Branch] | { readonly record: Value } | undefined;

/** The bytes of an IPv6 database in the MaxMind DB format 2.0, with a record for each CIDR block; a smaller block has precedence. */
export function mmdbBytes(records: Readonly<Record<string, Value>>, type = 'test'): Buffer {
  const root: [Branch, Branch] = [undefined, undefined];
  const blocks = Object.entries(records).map(([cidr, record]) => ({ bits: bitsOf(cidr), record }));
  for (const { bits, record } of blocks.sort((one, other) => one.bits.length - other.bits.length))
    insert(root, bits, { record });

  const nodes = new Map<Branch, number>();
  number(root);
  const texts = new Map<string, number>();
  const data: Buffer[] = [];
  let length = 0;
  const tree = [...nodes.keys()].map((node) =>
    Buffer.concat((node as [Branch, Branch]).map((branch) => uint24(pointerTo(branch)))),
  );
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_790_000_000n,
    database_type: type,
    description: {},
    ip_version: 6,
    languages: [],
    node_count: nodes.size,
    record_size: 24,
  };
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  return Buffer.concat([...tree, Buffer.alloc(16), ...data, marker, encode(metadata)]);

  function number(branch: Branch): void {
    if (!Array.isArray(branch)) return;
    nodes.set(branch, nodes.size);
    branch.forEach(number);
  }

  function pointerTo(branch: Branch): number {
    if (branch === undefined) return nodes.size;
    const node = nodes.get(branch);
    if (node !== undefined) return node;
    const bytes = encode((branch as { record: Value }).record);
    const key = bytes.toString('latin1');
    const known = texts.get(key);
    const offset = known ?? length;
    if (known === undefined) {
      texts.set(key, offset);
      data.push(bytes);
      length += bytes.length;
    }
    return nodes.size + 16 + offset;
  }
}

/** The bits of a block; IPv4 addresses are the last 32 bits of `::`. */
function bitsOf(cidr: string): number[] {
  const [network, prefix] = ipaddr.parseCIDR(cidr);
  const bits = network.toByteArray().flatMap((byte) => [...byte.toString(2).padStart(8, '0')].map(Number));
  return [...(network.kind() === 'ipv4' ? new Array<number>(96).fill(0) : []), ...bits.slice(0, prefix)];
}

function insert(root: [Branch, Branch], bits: readonly number[], record: Branch): void {
  let node = root;
  for (const [index, bit] of bits.entries()) {
    if (index === bits.length - 1) {
      node[bit] = record;
      return;
    }
    const branch = node[bit];
    const next: [Branch, Branch] = Array.isArray(branch) ? branch : [branch, branch];
    node[bit] = next;
    node = next;
  }
}

function uint24(value: number): Buffer {
  return Buffer.from([value >> 16, (value >> 8) & 0xff, value & 0xff]);
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([control(2, bytes.length), bytes]);
  }
  if (typeof value === 'number')
    return Buffer.concat([control(6, 4), Buffer.from([value >>> 24]), uint24(value & 0xffffff)]);
  if (typeof value === 'bigint') {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(value);
    return Buffer.concat([control(9, 8), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([control(7, entries.length), ...entries.flatMap(([key, one]) => [encode(key), encode(one)])]);
}

function control(type: number, size: number): Buffer {
  const [length, ...more] = size < 29 ? [size] : [29, size - 29];
  return Buffer.from(type < 8 ? [(type << 5) | length, ...more] : [length, type - 7, ...more]);
}
