/** A Markdown link or image; an image may be the label of a link. */
const MARKDOWN =
  /(!?)\[((?:!\[[^\][]*\]\([^()\s]*\)|[^\][])*)\]\(\s*(?:<([^<>]*)>|([^\s()]*(?:\([^\s()]*\)[^\s()]*)*))[^()]*\)/g;
const HTML_LINK =
  /<a\s[^<>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))[^<>]*>((?:(?!<\/?a[\s>]).)*)(?:<\/a\s*>|$)/gis;
const AUTOLINK = /<((?:https?:)?\/\/[^\s<>]+)>/gi;
const HTML_TAG = /<\/?[a-z][^<>]*>/gi;

/**
 * The parts of a text that name hosts, for texts with Markdown or HTML links: the target of each link (its label when the target is relative),
 * then what stands beside the links. The text itself when it contains no link.
 */
export function linkedTexts(text: string): string[] {
  if (!/[<[]/.test(text)) return [text];
  const links: string[] = [];
  const take = (target: string, label: string) => {
    links.push(/^\s*(?:https?:)?\/\//i.test(target) ? target : label);
    return ' ';
  };
  const beside = text
    .replace(MARKDOWN, (_link, image, label, bracketed, plain) =>
      image === '' ? take(bracketed ?? plain ?? '', label) : ' ',
    )
    .replace(HTML_LINK, (_link, double, single, plain, label) =>
      take(double ?? single ?? plain ?? '', label.replace(HTML_TAG, '')),
    )
    .replace(AUTOLINK, (_link, target) => take(target, target));
  if (links.length === 0) return [text];
  return [...links, ...beside.replace(HTML_TAG, ' ').split(/[\s,;|]+/)].filter((part) => part.trim() !== '');
}
