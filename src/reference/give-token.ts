import { outOfBand } from './oauth/app-registration.ts';
import { issueToken } from './oauth/grants.ts';
import { type Scope, scopesOf } from './oauth/scopes.ts';
import type { LiveTokenRecord, TokenRecord } from './resources.ts';
import type { ReferenceState } from './state.ts';

/** A registered app, with the field names of the registration endpoint. */
export interface ExampleApp {
  client_id: string;
  client_secret: string;
  redirect_uri: string;
}

const exampleAppSetting = 'example-app';

/**
 * The app of the example requests and of {@link giveToken}, registered at the first call. The database also stores its secret in
 * plain text, so that every start prints the same requests; the secret protects nothing.
 */
export function exampleApp({ data, now, profile }: ReferenceState): ExampleApp {
  return data.transaction(() => {
    const stored = data.setting(exampleAppSetting);
    const existing: ExampleApp | undefined = stored === undefined ? undefined : JSON.parse(stored);
    if (existing !== undefined && data.apps.find(existing.client_id) !== undefined) return existing;
    const { app, secret } = data.apps.register(
      { name: 'Example', website: '', redirectUris: [outOfBand], scopes: scopesOf[profile] },
      Math.floor(now()),
    );
    // Marks the app as used, so that it is not among the first apps to be evicted.
    data.apps.touch(app.id);
    const created: ExampleApp = { client_id: app.clientId, client_secret: secret, redirect_uri: outOfBand };
    data.setSetting(exampleAppSetting, JSON.stringify(created));
    return created;
  });
}

export interface TokenOptions {
  /** Default `ada`. */
  username?: string;
  /** Default: all of the profile. */
  scopes?: readonly Scope[];
  /** The app that the token is issued to. Default: the example app. */
  clientId?: string;
}

/**
 * Issues a token for a local account, without a sign-in or an approval.
 * @param server a reference server, or the state of a host of a fleet as `{ state }`.
 * @returns the answer that `POST /oauth/token` would give.
 * @throws when there is no such account or app.
 */
export function giveToken(
  { state }: { readonly state: ReferenceState },
  options: TokenOptions = {},
): TokenRecord | LiveTokenRecord {
  const { username = 'ada', scopes = scopesOf[state.profile], clientId = exampleApp(state).client_id } = options;
  const account = state.data.accounts.findByUsername(username);
  if (account?.local !== true) throw new Error(`There is no local account with the username ${username}.`);
  const app = state.data.apps.find(clientId);
  if (app === undefined) throw new Error(`There is no app with the client_id ${clientId}.`);
  return issueToken(state, { appId: app.id, accountId: account.id, scopes, codeHash: null, isPublic: false });
}
