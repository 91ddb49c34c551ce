import type { Rule } from '../rule.ts';
import { oauthApps } from './oauth/oauth-apps.ts';
import { oauthAuthorize } from './oauth/oauth-authorize.ts';
import { oauthRevoke } from './oauth/oauth-revoke.ts';
import { oauthToken } from './oauth/oauth-token.ts';

/** The rules of OAuth, in the order of a report. */
export const oauthRules: readonly Rule[] = [oauthApps, oauthAuthorize, oauthToken, oauthRevoke];
