import type { FastifyReply } from 'fastify';
import type { KeptAccount } from '../data/accounts.ts';
import { outOfBand } from '../oauth/app-registration.ts';
import {
  type Answerable,
  type AuthorizationOutcome,
  type AuthorizationRequest,
  type FaultyAuthorization,
  redirectTarget,
} from '../oauth/authorization-request.ts';
import { type OAuthError, oauthError } from '../oauth/oauth-error.ts';
import { codePage, consentPage, errorPage, faultyRequestPage, signInPage } from '../pages/authorization-pages.ts';
import type { ReferenceState } from '../state.ts';
import { serverName } from '../web-app.ts';
import type { ConsentVisit } from './consent-session.ts';

export function sendPage(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(page);
}

export function showSignIn(
  reply: FastifyReply,
  visit: ConsentVisit,
  { app }: Answerable,
  failed?: { username: string },
): FastifyReply {
  const page = signInPage({
    server: serverName(visit.state.config),
    appName: app.name,
    form: visit.form('sign-in'),
    username: failed?.username ?? '',
    hasFailed: failed !== undefined,
  });
  return sendPage(reply, failed === undefined ? 200 : 422, page);
}

export function showConsent(
  reply: FastifyReply,
  visit: ConsentVisit,
  { app, redirectUri, scopes }: AuthorizationRequest,
  account: KeptAccount,
): FastifyReply {
  const server = serverName(visit.state.config);
  return sendPage(reply, 200, consentPage({ server, app, redirectUri, scopes, account, form: visit.form('consent') }));
}

/** Says to a user who is signed in what is wrong, and where the client is that is told when the user goes on. */
export function showFault(
  reply: FastifyReply,
  visit: ConsentVisit,
  { request: { app, redirectUri }, error }: FaultyAuthorization,
): FastifyReply {
  const form = visit.form('consent');
  const server = serverName(visit.state.config);
  return sendPage(reply, 400, faultyRequestPage({ server, appName: app.name, redirectUri, error, form }));
}

/** Does what a button of a page says; the form was found to be the visitor's own. */
export function decide(
  reply: FastifyReply,
  visit: ConsentVisit,
  outcome: Exclude<AuthorizationOutcome, { kind: 'refused' }>,
  field: (name: string) => string,
): FastifyReply {
  const { state, account, rawQuery } = visit;
  const { request } = outcome;
  const again = () => seeOther(reply, `/oauth/authorize?${rawQuery}`);
  const action = field('action');
  if (action === 'sign-in') {
    const username = field('username');
    const found = state.data.accounts.signIn(username, field('password'));
    if (found === undefined) return showSignIn(reply, visit, request, { username });
    visit.signIn(found);
    return again();
  }
  if (action === 'sign-out') {
    visit.signOut();
    return again();
  }
  if (outcome.kind === 'faulty') {
    return action === 'return' ? answerClient(reply, state, request, outcome.error) : again();
  }
  if (action === 'deny') {
    return answerClient(reply, state, request, oauthError('access_denied', 'The user denied the request.'));
  }
  // Signed out since, or no button of ours: asked again.
  if (account === undefined || action !== 'approve') return again();
  return approve(reply, state, outcome.request, account);
}

function approve(
  reply: FastifyReply,
  { data, now, lifetimes, config }: ReferenceState,
  { app, redirectUri, scopes, challenge, rawState }: AuthorizationRequest,
  account: KeptAccount,
): FastifyReply {
  const at = Math.floor(now());
  const grant = { appId: app.id, accountId: account.id, redirectUri, scopes, challenge };
  const code = data.codes.issue(grant, Math.round(at + lifetimes.code * 1000));
  data.apps.touch(app.id);
  if (redirectUri === outOfBand) return sendPage(reply, 200, codePage(serverName(config), app.name, code));
  return seeOther(reply, redirectTarget(redirectUri, { code }, rawState));
}

/** Sends the browser to the client with an error; with one that is out of band the user alone is told, of the denial. */
function answerClient(
  reply: FastifyReply,
  { config }: ReferenceState,
  { app, redirectUri, rawState }: Answerable,
  { error, description }: OAuthError,
): FastifyReply {
  if (redirectUri !== outOfBand) {
    return seeOther(reply, redirectTarget(redirectUri, { error, error_description: description }, rawState));
  }
  const title = 'You denied the request';
  const reason = `${app.name} gets no access to your account.`;
  return sendPage(reply, 200, errorPage({ server: serverName(config), title, reason, code: error }));
}

/** 303, so that the next request is a GET: only a form leads anywhere. */
function seeOther(reply: FastifyReply, location: string): FastifyReply {
  return reply.redirect(location, 303);
}
