/** An element with its name, attributes and children. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: (XmlElement | string)[];
}

/** Any character that XML 1.0 does not allow. */
const ILLEGAL = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const DECLARATION = /^<\?xml version="1\.0" encoding="utf-8"\?>\n?/i;
/** An end tag, a start tag with its attributes, or text. */
const TOKEN = /<\/([A-Za-z][\w:.-]*)>|<([A-Za-z][\w:.-]*)((?:\s+[A-Za-z][\w:.-]*="[^"<]*")*)\s*(\/?)>|([^<]+)/uy;
const ATTRIBUTE = /([A-Za-z][\w:.-]*)="([^"]*)"/g;
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * Parses well-formed XML 1.0 strictly, and refuses comments, CDATA sections, processing instructions and document types, which no
 * exported file may have.
 *
 * @throws for any other text.
 */
export function parseXml(text: string): XmlElement {
  const illegal = ILLEGAL.exec(text);
  if (illegal !== null)
    throw new Error(`U+${illegal[0].codePointAt(0)?.toString(16)} at ${illegal.index} is not an XML character`);
  const body = text.replace(DECLARATION, '').trimEnd();
  const root: XmlElement = { name: '', attributes: {}, children: [] };
  const open = [root];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < body.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(body);
    const parent = open.at(-1);
    if (match === null || parent === undefined) throw new Error(`not well-formed: ${body.slice(at, at + 60)}`);
    const [, closed, name, attributes = '', isEmpty, characters] = match;
    if (closed !== undefined) {
      if (open.pop()?.name !== closed || open.length === 0)
        throw new Error(`</${closed}> does not match its start tag`);
    } else if (name !== undefined) {
      const pairs = [...attributes.matchAll(ATTRIBUTE)].map(
        ([, key = '', value = '']) => [key, unescaped(value)] as const,
      );
      if (new Set(pairs.map(([key]) => key)).size !== pairs.length) throw new Error(`<${name}> has an attribute twice`);
      const element: XmlElement = { name, attributes: Object.fromEntries(pairs), children: [] };
      parent.children.push(element);
      if (isEmpty !== '/') open.push(element);
    } else {
      if (characters?.includes(']]>')) throw new Error('the text holds "]]>"');
      parent.children.push(unescaped(characters ?? ''));
    }
  }
  const [element, ...rest] = root.children.filter((child) => typeof child !== 'string' || child.trim() !== '');
  if (open.length !== 1 || element === undefined || typeof element === 'string' || rest.length > 0) {
    throw new Error('the document is not exactly one element');
  }
  return element;
}

/** All text in an element. */
export function textOf(element: XmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
}

/** The elements with a name inside an element, at any depth. */
export function elementsOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) =>
    typeof child === 'string' ? [] : [...(child.name === name ? [child] : []), ...elementsOf(child, name)],
  );
}

function unescaped(text: string): string {
  return text.replace(/&([^;]*;?)/g, (whole, reference: string) => {
    const numeric = /^#(?:x([\da-f]+)|(\d+));$/i.exec(reference);
    const character =
      numeric === null
        ? ENTITIES[reference.slice(0, -1)]
        : String.fromCodePoint(numeric[1] ? Number.parseInt(numeric[1], 16) : Number(numeric[2]));
    if (character === undefined || !reference.endsWith(';') || ILLEGAL.test(character))
      throw new Error(`${whole} is not a valid reference`);
    return character;
  });
}
