import type { Judgement } from './rule.ts';

export function pass(detail: string): Judgement {
  return { severity: 'pass', detail };
}

export function info(detail: string): Judgement {
  return { severity: 'info', detail };
}

export function warn(detail: string, cure: string): Judgement {
  return { severity: 'warn', detail, cure };
}

export function fail(detail: string, cure: string): Judgement {
  return { severity: 'fail', detail, cure };
}
