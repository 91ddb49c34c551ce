/** What the app is called that a deep check registers, so that an operator finds it again. */
export const DEEP_APP_NAME = 'Loopscout check';
