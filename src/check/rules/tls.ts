import type { Rule } from '../rule.ts';
import { tlsAlpn } from './tls/tls-alpn.ts';
import { tlsChain } from './tls/tls-chain.ts';
import { tlsConnects } from './tls/tls-connects.ts';
import { tlsExpiry } from './tls/tls-expiry.ts';
import { tlsNames } from './tls/tls-names.ts';
import { tlsProtocol } from './tls/tls-protocol.ts';
import { tlsTrusted } from './tls/tls-trusted.ts';

/** The rules of TLS, in the order of a report. */
export const tlsRules: readonly Rule[] = [tlsConnects, tlsTrusted, tlsChain, tlsNames, tlsExpiry, tlsProtocol, tlsAlpn];
