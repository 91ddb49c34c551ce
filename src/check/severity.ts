import { z } from 'zod';

/** How bad a finding is: `fail` keeps clients or directories out, `warn` costs something, `info` is worth knowing. */
export const Severity = z.enum(['pass', 'info', 'warn', 'fail']);
export type Severity = z.infer<typeof Severity>;
