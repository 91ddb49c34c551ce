import type { Rule } from '../rule.ts';
import { dnsCaa } from './dns/dns-caa.ts';
import { dnsFamiliesAlike } from './dns/dns-families-alike.ts';
import { dnsIpv4 } from './dns/dns-ipv4.ts';
import { dnsIpv6 } from './dns/dns-ipv6.ts';
import { dnsPublic } from './dns/dns-public.ts';
import { dnsResolves } from './dns/dns-resolves.ts';

/** The rules of the DNS, in the order of a report. */
export const dnsRules: readonly Rule[] = [dnsResolves, dnsPublic, dnsIpv4, dnsIpv6, dnsFamiliesAlike, dnsCaa];
