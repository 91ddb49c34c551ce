import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredAccount } from '../data/accounts.ts';
import { authenticate, type BearerFailure, sendBearerFailure } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { ReferenceState } from '../state.ts';

/** A token of an app has no user, whatever its scopes (specification section 5). */
const noUser: BearerFailure = {
  status: 403,
  challenge: 'Bearer realm="Loops", error="insufficient_scope", error_description="The access token has no user."',
  message: 'The access token was given to an app, without a user.',
};

/** The account of the token of a request. Null when there is none; then the error has been sent. */
export function requireUser(
  request: FastifyRequest,
  reply: FastifyReply,
  state: ReferenceState,
  scope?: Scope,
): StoredAccount | null {
  const { token, failure } = authenticate(request, state, scope);
  const account = token?.accountId == null ? undefined : state.data.accounts.find(token.accountId);
  if (account !== undefined) {
    reply.header('cache-control', 'no-store');
    return account;
  }
  sendBearerFailure(reply, failure ?? noUser);
  return null;
}
