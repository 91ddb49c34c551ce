import type { ServerClause } from './clause.ts';
import { ENDPOINT_RULES } from './endpoint-rules.ts';
import { OAUTH_RULES } from './oauth-rules.ts';
import { FIELD_CLAUSES } from './resource-fields.ts';
import { RESOURCE_RULES } from './resource-rules.ts';
import { TOKEN_RULES } from './token-rules.ts';

/** Every clause about servers, in the order of the specification. */
export const SERVER_CLAUSES: readonly ServerClause[] = [
  ...FIELD_CLAUSES,
  ...RESOURCE_RULES,
  ...ENDPOINT_RULES,
  ...OAUTH_RULES,
  ...TOKEN_RULES,
].sort((one, other) => one.section.localeCompare(other.section, 'en', { numeric: true }));
