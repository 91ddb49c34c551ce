import { DEEP_APP_NAME } from './deep-app-name.ts';
import type { DeepEvidence } from './evidence.ts';

/**
 * What a deep check leaves at the server, and how to take it away, with a line to paste; null when nothing was changed. An app whose
 * registration was refused is not there; one whose registration was not answered may be.
 */
export function whatIsLeft(deep: DeepEvidence | null): string | null {
  if (deep === null) return null;
  const { status } = deep.app;
  if (status !== null && status >= 300) return null;
  const isKnown = status !== null && deep.app.failure === null;
  const revoked = deep.revoke?.status ?? 0;
  const token =
    deep.token === null || deep.self === null
      ? ''
      : revoked >= 200 && revoked < 300
        ? ' Its token was revoked.'
        : ' Its token could not be revoked, and ends with the app.';
  return [
    `${isKnown ? 'The deep check left an app' : 'The deep check may have left an app'} named "${DEEP_APP_NAME}" at the server.${token} To remove it, in the folder of Loops:`,
    '',
    `    php artisan tinker --execute="DB::table('oauth_clients')->where('name', '${DEEP_APP_NAME}')->delete();"`,
  ].join('\n');
}
