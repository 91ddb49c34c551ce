import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';

/** The key under which a request is counted: the client's address (IPv6: its /64), and the kind of route when that has a limit of its own. */
export function rateLimitKeyOf({ ip, socket, routeOptions: { config } }: FastifyRequest): string {
  const address = clientKeyOf(addressIn(ip) ?? socket.remoteAddress ?? '');
  if (config.endpoint?.isMonitoring === true) return `${address} monitoring`;
  return config.isAsset === true ? `${address} asset` : address;
}

/** An address, or the /64 network of an IPv6 address. */
export function clientKeyOf(address: string): string {
  return normalizeIP(address);
}

/** The address in an entry of `X-Forwarded-For`, where some proxies write a port too; null when it is no address. */
function addressIn(entry: string): string | null {
  const [, bracketed, ipv4] = /^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/.exec(entry) ?? [];
  const address = bracketed ?? ipv4 ?? entry;
  return isIP(address) > 0 ? address : null;
}
