/** Whether a rule judges what a deep check alone does. */
export function isDeepRule(id: string): boolean {
  return id.startsWith('oauth-deep-');
}
