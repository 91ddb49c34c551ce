import { ENDPOINT_JUDGEMENTS } from './endpoint-judgements.ts';
import { FIELD_JUDGEMENTS } from './field-judgements.ts';
import type { Judgements } from './judge.ts';
import { OAUTH_JUDGEMENTS } from './oauth-judgements.ts';
import { RESOURCE_JUDGEMENTS } from './resource-judgements.ts';

/** The judgement of every clause about servers. */
export const JUDGEMENTS: Judgements = {
  ...FIELD_JUDGEMENTS,
  ...RESOURCE_JUDGEMENTS,
  ...ENDPOINT_JUDGEMENTS,
  ...OAUTH_JUDGEMENTS,
};
