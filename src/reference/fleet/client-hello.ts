/** The protocol that the first bytes of a connection show. `more`: too few bytes to decide. */
export type Opening = { type: 'tls'; serverName: string | null } | { type: 'plain' } | { type: 'more' };

const handshakeRecord = 22;
const clientHello = 1;
const serverNameExtension = 0;

/** Distinguishes TLS from plain HTTP and reads the server name of a ClientHello (RFC 8446 section 4.1.2, RFC 6066 section 3). */
export function readOpening(bytes: Buffer): Opening {
  if (bytes.length === 0) return { type: 'more' };
  if (bytes[0] !== handshakeRecord) return { type: 'plain' };
  // A record starts with five bytes: type, version and, in the last two, the length of what follows.
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
  // Skips the record header, the message header, the version and the random bytes.
  let offset = 5 + 4 + 2 + 32;
  // Skips the session id, the cipher suites and the compression methods, each preceded by its length.
  offset += 1 + bytes.readUInt8(offset);
  offset += 2 + bytes.readUInt16BE(offset);
  offset += 1 + bytes.readUInt8(offset);
  const extensionsEnd = offset + 2 + bytes.readUInt16BE(offset);
  offset += 2;
  while (offset < extensionsEnd) {
    const extension = bytes.readUInt16BE(offset);
    const length = bytes.readUInt16BE(offset + 2);
    if (extension === serverNameExtension) {
      // The name follows the type and length of the extension, the length of the list, and the type and length of the name.
      const nameLength = bytes.readUInt16BE(offset + 7);
      return bytes.toString('latin1', offset + 9, offset + 9 + nameLength).toLowerCase();
    }
    offset += 4 + length;
  }
  return null;
}
