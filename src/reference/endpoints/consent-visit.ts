import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeptAccount } from '../data/accounts.ts';
import { createSecret } from '../data/secret.ts';
import { rawQueryOf } from '../oauth/authorization-request.ts';
import { createFormToken, type FormContext, formTokenMatches } from '../oauth/form-token.ts';
import { sessionCookie } from '../oauth/session-cookie.ts';
import type { FormTarget } from '../pages/page.ts';
import type { ReferenceState } from '../state.ts';

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
