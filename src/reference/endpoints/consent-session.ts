import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredAccount } from '../data/accounts.ts';
import type { ReferenceData } from '../data/open-data.ts';
import { createSecret } from '../data/secret.ts';
import { rawQueryOf } from '../oauth/authorization-request.ts';
import type { FormTarget } from '../pages/page.ts';
import type { ReferenceState } from '../state.ts';

export type ConsentSession = ReturnType<typeof openConsentSession>;

const keyPattern = /^[\w-]{43}$/;

/** A request to the consent pages, and the session that its cookie names. */
export function openConsentSession(request: FastifyRequest, reply: FastifyReply, state: ReferenceState) {
  const { data, now, lifetimes } = state;
  const { name, options } = sessionCookie(state.url);
  const rawQuery = rawQueryOf(request.url);
  const cookie = request.cookies[name];
  const receivedKey = cookie !== undefined && keyPattern.test(cookie) ? cookie : undefined;
  const accountId = receivedKey === undefined ? undefined : data.sessions.accountIdOf(receivedKey, Math.floor(now()));
  let key = receivedKey;

  const setKey = (newKey: string): string => {
    key = newKey;
    reply.setCookie(name, newKey, options);
    return newKey;
  };

  return {
    state,
    rawQuery,
    /** Undefined: not signed in. */
    account: accountId === undefined ? undefined : data.accounts.find(accountId),
    /** The target and token of a form. Sets a cookie if there is none, because the token is bound to the cookie. */
    form: (purpose: FormContext['purpose']): FormTarget => {
      const currentKey = key ?? setKey(createSecret());
      return { rawQuery, token: createFormToken(data, { cookie: currentKey, purpose, rawQuery }) };
    },
    /** Whether `token` belongs to a form that this visitor received for this request. */
    isOwnForm: (purpose: FormContext['purpose'], token: string) =>
      receivedKey !== undefined && formTokenMatches(data, { cookie: receivedKey, purpose, rawQuery }, token),
    /** Signs the visitor in under a new key, so that a key planted earlier is useless (session fixation). */
    signIn: ({ id }: StoredAccount) => {
      setKey(data.sessions.start(id, Math.round(now() + lifetimes.session * 1000)));
    },
    signOut: () => {
      if (receivedKey !== undefined) data.sessions.end(receivedKey);
      setKey(createSecret());
    },
  };
}

/** The cookie of the consent pages: a random key for every visitor, replaced by the session key at sign-in. */
interface SessionCookie {
  readonly name: string;
  readonly options: CookieSerializeOptions;
}

/**
 * The cookie of a server at `url`. Its name contains the port, because browsers share cookies between the ports of a host. Over
 * TLS the prefix `__Host-`, which requires the path `/`, prevents other hosts of the domain from setting it.
 */
export function sessionCookie(url: string): SessionCookie {
  const { protocol, port } = new URL(url);
  const isSecure = protocol === 'https:';
  const name = `loops_session${port === '' ? '' : `_${port}`}`;
  return {
    name: isSecure ? `__Host-${name}` : name,
    options: { httpOnly: true, sameSite: 'lax', secure: isSecure, path: isSecure ? '/' : '/oauth' },
  };
}

/** The visitor, purpose and request that a form token is valid for. */
export interface FormContext {
  /** The cookie of the visitor, which other sites can neither read nor set. */
  readonly cookie: string;
  readonly purpose: 'sign-in' | 'consent';
  /** The authorization request, from `rawQueryOf`. */
  readonly rawQuery: string;
}

/** The token in a hidden field of a form, which stops other sites from sending the form (CSRF). */
export function createFormToken(data: ReferenceData, { cookie, purpose, rawQuery }: FormContext): string {
  // Browsers percent-encode an apostrophe when they send the form.
  const query = rawQuery.replaceAll("'", '%27');
  const text = JSON.stringify([purpose, cookie, query]);
  return createHmac('sha256', formKeyOf(data)).update(text).digest('base64url');
}

/** Compares in constant time. */
export function formTokenMatches(data: ReferenceData, context: FormContext, token: string): boolean {
  const expected = Buffer.from(createFormToken(data, context));
  const received = Buffer.from(token);
  return received.length === expected.length && timingSafeEqual(received, expected);
}

const formKeySetting = 'form-key';

/** The key that signs form tokens. Stored with the data, so that open forms survive a restart. */
function formKeyOf(data: ReferenceData): string {
  const stored = data.setting(formKeySetting);
  if (stored !== undefined) return stored;
  return data.transaction(() => {
    // Another process on the same file may have stored a key meanwhile.
    const key = data.setting(formKeySetting) ?? createSecret();
    data.setSetting(formKeySetting, key);
    return key;
  });
}

/**
 * Whether the browser reports that another site sent this form. The consent pages send no referrer, so browsers send their
 * forms with the `Origin` `null`: then only `Sec-Fetch-Site` can tell. The form token is checked in any case.
 */
export function isCrossSite({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin === undefined || origin === 'null') return false;
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
}
