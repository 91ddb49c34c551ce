import { checkDomain } from '../app.check.ts';
import { RULES } from '../app.report.ts';
import { createCheck } from './create-check.ts';

/** `check DOMAIN`: the operator's report, live. */
export const run = createCheck({
  check: ({ settings, domain, only, skip }, signal) => checkDomain(settings, domain, { only, skip, signal }),
  rules: RULES,
});
