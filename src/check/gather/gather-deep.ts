import { type Domain, originOf } from '../../domain/domain.ts';
import { parseJsonObject, property } from '../../identify/json.ts';
import { DEEP_APP_NAME } from '../deep-app-name.ts';
import type { DeepEvidence } from '../evidence.ts';
import type { Exchange } from '../exchange.ts';
import type { Ask } from './ask.ts';

const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob';

/**
 * Registers one app, has a token for it (client_credentials), asks with that for an account, which it does not have, revokes it
 * and asks again (specification 4 and 5). The secrets are not in what is returned.
 *
 * @param website where people read who this is.
 */
export async function gatherDeep(domain: Domain, website: string, ask: Ask): Promise<DeepEvidence | null> {
  const at = (path: string) => new URL(path, originOf(domain));
  const post = (path: string, body: object) =>
    ask({
      url: at(path),
      method: 'POST',
      accept: 'application/json',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const self = (token: string) =>
    ask({
      url: at('/api/v1/account/info/self'),
      method: 'GET',
      accept: 'application/json',
      headers: { authorization: `Bearer ${token}` },
    });

  const app = await register(ask, at('/api/v1/apps'), website);
  if (app === null) return null;
  const evidence: DeepEvidence = { app, token: null, self: null, revoke: null, selfAfterRevoke: null };
  const client = { client_id: textOf(app, 'client_id'), client_secret: textOf(app, 'client_secret') };
  evidence.app = withoutSecret(app, client.client_secret);
  if (client.client_id === null || client.client_secret === null) return evidence;

  const given = await post('/oauth/token', { grant_type: 'client_credentials', ...client });
  const token = given === null ? null : textOf(given, 'access_token');
  evidence.token = given === null ? null : withoutSecret(given, token);
  if (token === null || !isSendable(token)) return evidence;

  evidence.self = await self(token);
  evidence.revoke = await post('/oauth/revoke', { token, ...client });
  evidence.selfAfterRevoke = evidence.revoke === null ? null : await self(token);
  return evidence;
}

/** As the specification says (4.3), and where that is refused, as the official app does: a form with a list of addresses. */
async function register(ask: Ask, url: URL, website: string): Promise<Exchange | null> {
  const send = (type: string, body: string) =>
    ask({ url, method: 'POST', accept: 'application/json', headers: { 'content-type': type }, body });
  const asSpecified = { client_name: DEEP_APP_NAME, redirect_uris: OUT_OF_BAND, scopes: 'read', website };
  const app = await send('application/json', JSON.stringify(asSpecified));
  if (app?.status !== 422 && app?.status !== 400) return app;
  const asOfficial = new URLSearchParams({
    client_name: DEEP_APP_NAME,
    'redirect_uris[]': OUT_OF_BAND,
    scopes: 'user:read',
    website,
  });
  return (await send('application/x-www-form-urlencoded', asOfficial.toString())) ?? app;
}

/** A text of a JSON answer that went well. */
function textOf({ status, body }: Exchange, key: string): string | null {
  if (status === null || status < 200 || status > 299) return null;
  const value = property(parseJsonObject(body), key);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** RFC 6750 section 2.1: what else may not stand in the header. */
function isSendable(token: string): boolean {
  return /^[\w.~+/-]{1,8192}=*$/.test(token);
}

/** The answer with stars for the secret, so that it is in no report. */
function withoutSecret(exchange: Exchange, secret: string | null): Exchange {
  if (secret === null) return exchange;
  const text = new TextDecoder().decode(exchange.body);
  const written = JSON.stringify(secret).slice(1, -1);
  const starred = text.replaceAll(written, '*'.repeat(written.length));
  return { ...exchange, body: new TextEncoder().encode(starred) };
}
