import { seededAccounts } from '../../../src/reference/seed/seeded.ts';
import type { ReferenceServer } from '../../../src/reference/server.ts';
import {
  authorizeQuery,
  callback,
  createConsentVisitor,
  formOf,
  obtainUserToken,
  outOfBand,
  register,
} from '../consent-visitor.ts';
import type { Target } from './random-request.ts';

/** Registers an app, signs in on the consent pages, and collects values that this server accepts. */
export async function findTarget(server: ReferenceServer): Promise<Target> {
  const app = await register(server, { redirect_uris: [callback, outOfBand], scopes: 'read write follow' });
  const visitor = createConsentVisitor(server);
  const query = authorizeQuery(app);
  const { token: formToken } = formOf(await visitor.signIn(query));
  const [account = { username: '', password: '' }] = seededAccounts();
  return {
    clientId: app.client_id,
    clientSecret: app.client_secret,
    redirectUri: callback,
    code: await visitor.codeFor(query),
    token: await obtainUserToken(server, app, 'read write'),
    videoId: server.state.data.videos.all()[0]?.id ?? '',
    username: account.username,
    password: account.password,
    cookie: visitor.cookie(),
    formToken,
  };
}
