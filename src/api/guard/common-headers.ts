import { createHash } from 'node:crypto';
import helmet from '@fastify/helmet';
import fastify from 'fastify';
import { style } from '../pages/style.ts';

/** Not of the security headers: what every answer of Fastify has. */
const OF_FASTIFY = new Set(['content-length', 'content-type', 'date', 'connection', 'keep-alive']);

/** Anybody may read, from any page; there is nothing that is another's. What is posted is read by nobody but who posts it. */
const CROSS_ORIGIN = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  'ETag, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
];

/**
 * The headers of every answer, names and values in turn: they are always the same, so helmet is asked for them once. Pages may show
 * their own style and nothing else: no script, no frame, no form.
 */
export async function commonHeaders(): Promise<{ read: readonly string[]; posted: readonly string[] }> {
  const digest = createHash('sha256').update(style).digest('base64');
  const app = fastify();
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'style-src': [`'sha256-${digest}'`],
        'base-uri': ["'none'"],
        'form-action': ["'none'"],
        'frame-ancestors': ["'none'"],
      },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    // Whether there is TLS is a matter of the proxy in front.
    strictTransportSecurity: false,
    // These say nothing to a browser of today, or nothing about an answer that is not a page.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  app.get('/', async () => '');
  const { headers } = await app.inject('/');
  await app.close();
  const security = Object.entries(headers).filter(([name]) => !OF_FASTIFY.has(name));
  const posted = [...security.flatMap(([name, value]) => [name, String(value)]), 'vary', 'accept-encoding'];
  return { read: [...posted, ...CROSS_ORIGIN], posted };
}

/** What a preflight asks before it lets a page read (Fetch standard, CORS protocol). */
export const PREFLIGHT = [
  'access-control-allow-methods',
  'GET, HEAD, OPTIONS',
  'access-control-allow-headers',
  'if-none-match',
  'access-control-max-age',
  '86400',
] as const;
