import { createHash } from 'node:crypto';
import type { FastifyHelmetOptions } from '@fastify/helmet';
import { style } from '../pages/page.ts';

const styleDigest = createHash('sha256').update(style).digest('base64');

/** Pages may show their own style and nothing else: no script, no frame, no form. */
export const SECURITY = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'style-src': [`'sha256-${styleDigest}'`],
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
} satisfies FastifyHelmetOptions;

/** Pages of any origin may read everything that is not posted: there are no users, hence nothing private. */
export const CROSS_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
};

/** What a browser asks before it lets a page of another origin read (Fetch standard, CORS protocol). */
export const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'if-none-match',
  'access-control-max-age': '86400',
};
