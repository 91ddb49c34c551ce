export { isGreen, type Report } from './check/report.ts';
export { reportView } from './check/report-view.ts';
export { AREAS, type Rule } from './check/rule.ts';
export { ruleList, rulePage } from './check/rule-pages.ts';
export { RULES, selectRules } from './check/rules.ts';
export type { Look, Paint } from './record/terminal-text.ts';
