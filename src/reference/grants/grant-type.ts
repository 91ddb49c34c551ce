import type { BodyParameters } from '../oauth/body-parameters.ts';
import type { Client } from '../oauth/client-authentication.ts';
import type { OAuthError } from '../oauth/oauth-error.ts';
import type { TokenRecord } from '../resources/token-record.ts';
import type { ReferenceState } from '../state.ts';

/** Gives a token for one `grant_type`, to a client that is known and whose secret, if it showed one, was right. */
export type GrantType = (client: Client, parameters: BodyParameters, state: ReferenceState) => TokenRecord | OAuthError;
