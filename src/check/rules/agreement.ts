import type { Rule } from '../rule.ts';
import { agreementName } from './agreement/agreement-name.ts';
import { agreementRegistration } from './agreement/agreement-registration.ts';
import { agreementSoftware } from './agreement/agreement-software.ts';
import { agreementVersion } from './agreement/agreement-version.ts';
import { agreementVersionConfig } from './agreement/agreement-version-config.ts';
import { agreementVersionForm } from './agreement/agreement-version-form.ts';
import { agreementVersionNewest } from './agreement/agreement-version-newest.ts';

/** Whether config and NodeInfo say the same, and what the version that they report means. */
export const agreementRules: readonly Rule[] = [
  agreementSoftware,
  agreementVersion,
  agreementRegistration,
  agreementName,
  agreementVersionConfig,
  agreementVersionNewest,
  agreementVersionForm,
];
