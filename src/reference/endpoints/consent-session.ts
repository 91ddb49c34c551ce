import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeptAccount } from '../data/accounts.ts';
import type { ReferenceData } from '../data/open-data.ts';
import { createSecret } from '../data/secret.ts';
import { rawQueryOf } from '../oauth/authorization-request.ts';
import type { FormTarget } from '../pages/page.ts';
import type { ReferenceState } from '../state.ts';

/** What a form of the consent pages is for, and for whom: its token holds for nothing else. */
export interface FormContext {
  /** The value of the visitor's cookie, which another site can neither read nor set. */
  readonly cookie: string;
  readonly purpose: 'sign-in' | 'consent';
  /** The authorization request, as `rawQueryOf` gives it. */
  readonly rawQuery: string;
}

const nameOfKey = 'form-key';

/** The token that a form carries in a hidden field, so that no other site can send the form (CSRF). */
export function createFormToken(data: ReferenceData, { cookie, purpose, rawQuery }: FormContext): string {
  // A browser percent-encodes an apostrophe when it sends the form.
  const query = rawQuery.replaceAll("'", '%27');
  const text = JSON.stringify([purpose, cookie, query]);
  return createHmac('sha256', keyOf(data)).update(text).digest('base64url');
}

/** Compares in constant time. */
export function formTokenMatches(data: ReferenceData, context: FormContext, token: string): boolean {
  const right = Buffer.from(createFormToken(data, context));
  const given = Buffer.from(token);
  return given.length === right.length && timingSafeEqual(given, right);
}

/** Kept with the data, so that a form that is open while the server restarts still holds when the data does. */
function keyOf(data: ReferenceData): string {
  const kept = data.fact(nameOfKey);
  if (kept !== undefined) return kept;
  return data.transaction(() => {
    // Another process with the same file may have made one since.
    const made = data.fact(nameOfKey) ?? createSecret();
    data.setFact(nameOfKey, made);
    return made;
  });
}

/** One request to the consent pages: what it asks, and who sent it as far as its cookie tells. */
export interface ConsentVisit {
  readonly state: ReferenceState;
  readonly rawQuery: string;
  /** Undefined: nobody is signed in. */
  readonly account: KeptAccount | undefined;
  /** Where a form of a page goes. Gives the visitor a cookie, if there is none, for the token to be bound to. */
  form(purpose: FormContext['purpose']): FormTarget;
  /** Whether `token` is one of a form that this visitor was shown for this request. */
  isOwnForm(purpose: FormContext['purpose'], token: string): boolean;
  /** Signs the visitor in, with a new key: one that was known before, to whomever, is worth nothing (session fixation). */
  signIn(account: KeptAccount): void;
  signOut(): void;
}

const keyForm = /^[\w-]{43}$/;

export function readConsentVisit(request: FastifyRequest, reply: FastifyReply, state: ReferenceState): ConsentVisit {
  const { data, now, lifetimes } = state;
  const { name, options } = sessionCookie(state.url);
  const rawQuery = rawQueryOf(request.url);
  const sent = request.cookies[name];
  const known = sent !== undefined && keyForm.test(sent) ? sent : undefined;
  const accountId = known === undefined ? undefined : data.sessions.accountOf(known, Math.floor(now()));
  let key = known;

  const give = (fresh: string): string => {
    key = fresh;
    reply.setCookie(name, fresh, options);
    return fresh;
  };

  return {
    state,
    rawQuery,
    account: accountId === undefined ? undefined : data.accounts.find(accountId),
    form: (purpose) => {
      const value = key ?? give(createSecret());
      return { rawQuery, token: createFormToken(data, { cookie: value, purpose, rawQuery }) };
    },
    isOwnForm: (purpose, token) =>
      known !== undefined && formTokenMatches(data, { cookie: known, purpose, rawQuery }, token),
    signIn: ({ id }) => {
      give(data.sessions.start(id, Math.round(now() + lifetimes.session * 1000)));
    },
    signOut: () => {
      if (known !== undefined) data.sessions.end(known);
      give(createSecret());
    },
  };
}

/** The cookie of the consent pages: a random value for every visitor, the key of the session once signed in. */
interface SessionCookie {
  readonly name: string;
  readonly options: CookieSerializeOptions;
}

/**
 * The cookie of a server at `url`. Cookies do not tell ports apart, so that the name does: many servers run on one machine. Over
 * TLS the prefix `__Host-` keeps other hosts of the domain from setting it, and asks for the path `/`.
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

/**
 * Whether a browser says that another site made it send this form. `Origin` is `null` in forms of the consent pages themselves,
 * because they give no referrer; `Sec-Fetch-Site` then tells the two apart, and the token of the form does in any case.
 */
export function isForeign({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin === undefined || origin === 'null') return false;
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
}
