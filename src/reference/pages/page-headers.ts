import { createHash } from 'node:crypto';
import type { FastifyHelmetOptions } from '@fastify/helmet';
import { style } from './style.ts';

const styleDigest = createHash('sha256').update(style).digest('base64');

/**
 * The security headers of the consent pages: nothing runs, nothing is loaded, no site may frame them. There is no `form-action`:
 * Chrome applies it to where a form's answer redirects to as well, which is the client, wherever it is. Strict-Transport-Security
 * is left out, as it would stick to localhost, and to every other server there; Cross-Origin-Opener-Policy, as it would cut a
 * popup off from the client that opened it, for good.
 */
export const pageHeaders: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'style-src': [`'sha256-${styleDigest}'`],
      'frame-ancestors': ["'none'"],
      'base-uri': ["'none'"],
    },
  },
  xFrameOptions: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
  crossOriginOpenerPolicy: false,
  strictTransportSecurity: false,
};
