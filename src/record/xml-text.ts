/** What XML 1.0 (section 2.2) has no way to say, lone surrogates among it. */
const UNSAYABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** A text as XML character data, also inside quotes; what XML cannot say becomes U+FFFD. */
export function xmlText(text: string): string {
  return text.replace(UNSAYABLE, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
