import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { StoredAccount } from '../data/accounts.ts';
import { digestOf } from '../data/secret.ts';
import { outOfBand } from '../oauth/app-registration.ts';
import {
  type AuthorizationOutcome,
  type AuthorizationRequest,
  type FaultyAuthorization,
  type RedirectableRequest,
  redirectTarget,
} from '../oauth/authorization-request.ts';
import { type OAuthError, oauthError } from '../oauth/oauth-error.ts';
import { codePage, consentPage, errorPage, faultyRequestPage, signInPage } from '../pages/authorization-pages.ts';
import { serverName } from '../resources.ts';
import type { ReferenceState } from '../state.ts';
import type { ConsentSession } from './consent-session.ts';

export function sendPage(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(page);
}

export function showSignIn(
  reply: FastifyReply,
  session: ConsentSession,
  { app }: RedirectableRequest,
  failure?: { status: 422 | 429; username: string; problem: string },
): FastifyReply {
  const page = signInPage({
    server: serverName(session.state.config),
    appName: app.name,
    form: session.form('sign-in'),
    username: failure?.username ?? '',
    problem: failure?.problem ?? null,
  });
  return sendPage(reply, failure?.status ?? 200, page);
}

export function showConsent(
  reply: FastifyReply,
  session: ConsentSession,
  { app, redirectUri, scopes }: AuthorizationRequest,
  account: StoredAccount,
): FastifyReply {
  const server = serverName(session.state.config);
  return sendPage(
    reply,
    200,
    consentPage({ server, app, redirectUri, scopes, account, form: session.form('consent') }),
  );
}

/** Shows a signed-in user the error of the request, with a button that returns to the client. */
export function showFault(
  reply: FastifyReply,
  session: ConsentSession,
  { request: { app, redirectUri }, error }: FaultyAuthorization,
): FastifyReply {
  const form = session.form('consent');
  const server = serverName(session.state.config);
  return sendPage(reply, 400, faultyRequestPage({ server, appName: app.name, redirectUri, error, form }));
}

/** Handles the button that the user pressed on a page. The caller has checked that the form belongs to the user. */
export function handleAction(
  reply: FastifyReply,
  session: ConsentSession,
  outcome: Exclude<AuthorizationOutcome, { kind: 'refused' }>,
  field: (name: string) => string,
): FastifyReply {
  const { state, account, rawQuery } = session;
  const { request } = outcome;
  const reload = () => seeOther(reply, `/oauth/authorize?${rawQuery}`);
  const action = field('action');
  if (action === 'sign-in') {
    const username = field('username');
    const attempt = trySignIn(state, reply.request.ip, username, field('password'));
    if (attempt.account !== undefined) {
      session.signIn(attempt.account);
      return reload();
    }
    const { waitSeconds } = attempt;
    if (waitSeconds === 0) {
      const problem = 'The username or the password is wrong. Try again.';
      return showSignIn(reply, session, request, { status: 422, username, problem });
    }
    const problem = `Too many login attempts. Please try again in ${waitSeconds} seconds.`;
    return showSignIn(reply.header('retry-after', waitSeconds), session, request, { status: 429, username, problem });
  }
  if (action === 'sign-out') {
    session.signOut();
    return reload();
  }
  if (outcome.kind === 'faulty') {
    return action === 'return' ? redirectToClient(reply, state, request, outcome.error) : reload();
  }
  if (action === 'deny') {
    return redirectToClient(reply, state, request, oauthError('access_denied', 'The user denied the request.'));
  }
  // The user has signed out meanwhile, or the button is unknown: shows the page again.
  if (account === undefined || action !== 'approve') return reload();
  return approve(reply, state, outcome.request, account);
}

/** Answers without a decision of the user, as if `account` had pressed the button that approves, or that returns to the client. */
export function answerAtOnce(
  reply: FastifyReply,
  state: ReferenceState,
  outcome: Exclude<AuthorizationOutcome, { kind: 'refused' }>,
  account: StoredAccount,
): FastifyReply {
  return outcome.kind === 'faulty'
    ? redirectToClient(reply, state, outcome.request, outcome.error)
    : approve(reply, state, outcome.request, account);
}

function approve(
  reply: FastifyReply,
  state: ReferenceState,
  { app, redirectUri, scopes, challenge, rawState }: AuthorizationRequest,
  account: StoredAccount,
): FastifyReply {
  const { data, now, lifetimes, config } = state;
  const nowMs = Math.floor(now());
  const grant = { appId: app.id, accountId: account.id, redirectUri, scopes, challenge };
  const code = data.codes.issue(grant, Math.round(nowMs + lifetimes.code * 1000));
  data.apps.touch(app.id);
  if (redirectUri === outOfBand) return sendPage(reply, 200, codePage(serverName(config), app.name, code));
  return seeOther(reply, redirectTarget(redirectUri, { code, ...issuerOf(state) }, rawState));
}

/** Redirects to the client with an error. For an out-of-band client, shows the denial to the user instead. */
function redirectToClient(
  reply: FastifyReply,
  state: ReferenceState,
  { app, redirectUri, rawState }: RedirectableRequest,
  { error, description }: OAuthError,
): FastifyReply {
  if (redirectUri !== outOfBand) {
    const parameters = { error, error_description: description, ...issuerOf(state) };
    return seeOther(reply, redirectTarget(redirectUri, parameters, rawState));
  }
  const title = 'You denied the request';
  const reason = `${app.name} gets no access to your account.`;
  return sendPage(reply, 200, errorPage({ server: serverName(state.config), title, reason, code: error }));
}

/** The issuer of an authorization response (RFC 9207). Live servers, which publish no metadata, do not name it. */
function issuerOf({ profile, url }: ReferenceState): { iss?: string } {
  return profile === 'live' ? {} : { iss: url };
}

/** Redirects with 303, so that the next request is a GET. */
function seeOther(reply: FastifyReply, location: string): FastifyReply {
  return reply.redirect(location, 303);
}

/**
 * Like Loops: after five failed sign-ins with one username from one address, every further one is refused until a minute after
 * the first failure.
 */
const maxFailures = 5;
const windowMs = 60_000;

interface Failures {
  count: number;
  /** End of the minute that began with the first failure, milliseconds since the epoch. */
  readonly endsAt: number;
}

const failuresOf = new WeakMap<ReferenceState, LRUCache<string, Failures>>();

/** The account, or the seconds until the next attempt is allowed; 0: at once. */
type SignInOutcome =
  | { readonly account: StoredAccount; readonly waitSeconds?: never }
  | { readonly account?: never; readonly waitSeconds: number };

/** Checks a password, unless too many attempts have failed. A successful sign-in clears the failures. */
function trySignIn(state: ReferenceState, address: string, username: string, password: string): SignInOutcome {
  const failures = failuresOf.get(state) ?? new LRUCache<string, Failures>({ max: 5_000 });
  failuresOf.set(state, failures);
  const key = digestOf(`${username.toLowerCase()} ${address}`).toString('base64');
  const now = state.now();
  const stored = failures.get(key);
  const current = stored !== undefined && stored.endsAt > now ? stored : { count: 0, endsAt: now + windowMs };
  if (current.count >= maxFailures) return { waitSeconds: Math.ceil((current.endsAt - now) / 1000) };
  const account = state.data.accounts.signIn(username, password);
  if (account !== undefined) {
    failures.delete(key);
    return { account };
  }
  current.count += 1;
  failures.set(key, current);
  return { waitSeconds: 0 };
}
