/** What the first bytes of a connection are. `more`: too few bytes to tell yet. */
export type Opening = { type: 'tls'; serverName: string | null } | { type: 'plain' } | { type: 'more' };

const handshakeRecord = 22;
const clientHello = 1;

/** Tells TLS from plain HTTP and reads the server name of a ClientHello (RFC 8446 section 4.1.2, RFC 6066 section 3). */
export function readOpening(bytes: Buffer): Opening {
  if (bytes.length === 0) return { type: 'more' };
  if (bytes[0] !== handshakeRecord) return { type: 'plain' };
  if (bytes.length < 5 || bytes.length < 5 + bytes.readUInt16BE(3)) return { type: 'more' };
  try {
    return { type: 'tls', serverName: serverNameOf(bytes) };
  } catch {
    return { type: 'tls', serverName: null };
  }
}

/** @throws RangeError when a length in the message points beyond its end. */
function serverNameOf(bytes: Buffer): string | null {
  if (bytes[5] !== clientHello) return null;
  let at = 5 + 4 + 2 + 32;
  at += 1 + bytes.readUInt8(at);
  at += 2 + bytes.readUInt16BE(at);
  at += 1 + bytes.readUInt8(at);
  const end = at + 2 + bytes.readUInt16BE(at);
  at += 2;
  while (at < end) {
    const extension = bytes.readUInt16BE(at);
    const length = bytes.readUInt16BE(at + 2);
    if (extension === 0) {
      const nameLength = bytes.readUInt16BE(at + 7);
      return bytes.toString('latin1', at + 9, at + 9 + nameLength).toLowerCase();
    }
    at += 4 + length;
  }
  return null;
}
