import type { ReferenceServer } from '../reference/index.ts';

/** An app that a server knows, as the registration endpoint names its parts. */
export interface ExampleApp {
  client_id: string;
  client_secret: string;
  redirect_uri: string;
}

const nameOfFact = 'example-app';
const redirectUri = 'urn:ietf:wg:oauth:2.0:oob';

/**
 * An app that is there from the start, so that the example requests are whole. A database that is kept has one, and keeps its secret
 * too, so that it is the same at every start: what is printed each time is no secret.
 */
export function exampleApp({ state: { data, now } }: ReferenceServer): ExampleApp {
  return data.transaction(() => {
    const kept = data.fact(nameOfFact);
    const known: ExampleApp | undefined = kept === undefined ? undefined : JSON.parse(kept);
    if (known !== undefined && data.apps.find(known.client_id) !== undefined) return known;
    const { app, secret } = data.apps.register(
      { name: 'Example', website: '', redirectUris: [redirectUri], scopes: ['read', 'write', 'follow'] },
      Math.floor(now()),
    );
    // Not among the first to go, although it may never be used.
    data.apps.touch(app.id);
    const made: ExampleApp = { client_id: app.clientId, client_secret: secret, redirect_uri: redirectUri };
    data.setFact(nameOfFact, JSON.stringify(made));
    return made;
  });
}
