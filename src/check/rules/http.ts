import type { Rule } from '../rule.ts';
import { httpChallenge } from './http/http-challenge.ts';
import { httpCompression } from './http/http-compression.ts';
import { httpHome } from './http/http-home.ts';
import { httpHsts } from './http/http-hsts.ts';
import { httpHttp2 } from './http/http-http2.ts';
import { httpRedirect } from './http/http-redirect.ts';
import { httpResponseTime } from './http/http-response-time.ts';
import { httpWww } from './http/http-www.ts';

/** The rules of HTTP, in the order of a report. */
export const httpRules: readonly Rule[] = [
  httpHome,
  httpChallenge,
  httpResponseTime,
  httpRedirect,
  httpHsts,
  httpWww,
  httpHttp2,
  httpCompression,
];
