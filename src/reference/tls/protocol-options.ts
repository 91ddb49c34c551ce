import type { SecureContextOptions } from 'node:tls';
import type { OldProtocol } from './tls-fault.ts';

/** The options of a TLS server that speaks one old version alone; OpenSSL does so at security level 0 only. */
export function protocolOptions(protocol: OldProtocol | undefined): SecureContextOptions {
  if (protocol === undefined) return {};
  return { minVersion: protocol, maxVersion: protocol, ciphers: 'DEFAULT@SECLEVEL=0' };
}
