/** The titles of the sections of the specification. */
export const SECTION_TITLES: Readonly<Record<string, string>> = {
  '2.1': 'App registration record',
  '2.2': 'Token record',
  '2.3': 'Account',
  '2.4': 'Video',
  '2.5': 'Server configuration',
  '2.6': 'NodeInfo discovery document',
  '2.7': 'NodeInfo document',
  '4': 'Endpoints',
  '4.1': 'Authorization request',
  '4.2': 'Token request',
  '4.3': 'App registration',
  '4.4': 'Server identification',
  '5': 'Authentication',
  '8': 'Limits',
  '9': 'Versioning',
};
