import type { Rule } from '../rule.ts';
import { oauthApps } from './oauth/oauth-apps.ts';
import { oauthAuthorize } from './oauth/oauth-authorize.ts';
import { oauthDeepApp } from './oauth/oauth-deep-app.ts';
import { oauthDeepRevoke } from './oauth/oauth-deep-revoke.ts';
import { oauthDeepSelf } from './oauth/oauth-deep-self.ts';
import { oauthDeepToken } from './oauth/oauth-deep-token.ts';
import { oauthRevoke } from './oauth/oauth-revoke.ts';
import { oauthToken } from './oauth/oauth-token.ts';

/** The rules of OAuth, in the order of a report. */
export const oauthRules: readonly Rule[] = [
  oauthApps,
  oauthAuthorize,
  oauthToken,
  oauthRevoke,
  oauthDeepApp,
  oauthDeepToken,
  oauthDeepSelf,
  oauthDeepRevoke,
];
