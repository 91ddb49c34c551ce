const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

/** Registers an app and returns the URL of its consent page. Without `redirect_uris`, the server shows the code instead of redirecting. */
export async function authorizationUrl(
  base: string,
  app: Record<string, string>,
  parameters: Record<string, string> = {},
) {
  const redirectUri = app.redirect_uris ?? outOfBand;
  const response = await fetch(`${base}/api/v1/apps`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: redirectUri, ...app }),
  });
  if (!response.ok) throw new Error(`The app was not registered: ${response.status} ${await response.text()}`);
  const { client_id } = (await response.json()) as { client_id: string };
  const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri: redirectUri, ...parameters });
  return `${base}/oauth/authorize?${query}`;
}
