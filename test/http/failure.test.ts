import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../src/http/failure.ts';

const withCode = (code: string, options?: ErrorOptions) => Object.assign(new Error('it failed', options), { code });

describe('failureOf', () => {
  it.each([
    ['ECONNREFUSED', 'connect-refused'],
    ['EHOSTUNREACH', 'no-route'],
    ['ENETUNREACH', 'no-route'],
    ['EADDRNOTAVAIL', 'no-route'],
    ['EACCES', 'no-route'],
    ['ETIMEDOUT', 'connect-timeout'],
    ['ECONNRESET', 'connection-reset'],
    ['EPIPE', 'connection-reset'],
    ['ERR_HTTP_CONTENT_LENGTH_MISMATCH', 'connection-reset'],
    ['CERT_HAS_EXPIRED', 'tls-expired'],
    ['CERT_NOT_YET_VALID', 'tls-expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls-wrong-name'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls-untrusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls-untrusted'],
    ['PATH_LENGTH_EXCEEDED', 'tls-untrusted'],
    ['UNSPECIFIED', 'tls-untrusted'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls-failed'],
    ['ERR_OSSL_EVP_UNSUPPORTED', 'tls-failed'],
    ['EPROTO', 'tls-failed'],
    ['HPE_INVALID_CONSTANT', 'invalid-http'],
    ['Z_DATA_ERROR', 'invalid-encoding'],
    ['ZSTD_error_prefix_unknown', 'invalid-encoding'],
  ])('maps %s to %s', (code, failure) => {
    expect(failureOf(withCode(code))).toBe(failure);
  });

  it('reads the code from the cause of an error, and from the first error of an AggregateError', () => {
    expect(failureOf(new Error('request', { cause: withCode('ECONNREFUSED') }))).toBe('connect-refused');
    const several = new AggregateError([withCode('EHOSTUNREACH'), withCode('ECONNREFUSED')]);
    expect(failureOf(new Error('request', { cause: several }))).toBe('no-route');
  });

  it('returns null for anything that is not a network failure', () => {
    for (const fault of [
      new TypeError('x is not a function'),
      withCode('EMFILE'),
      withCode('ERR_INVALID_ARG_TYPE'),
      'ECONNRESET',
      null,
    ]) {
      expect(failureOf(fault)).toBeNull();
    }
  });

  it('terminates on an error that is its own cause', () => {
    const circle = new Error('circle');
    circle.cause = circle;
    expect(failureOf(circle)).toBeNull();
  });

  it('returns null for arbitrary values', () => {
    fc.assert(fc.property(fc.anything(), (value) => failureOf(value) === null));
  });
});
