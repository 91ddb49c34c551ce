import { MASK } from '../../model/domain/parse-domain.ts';

/** A Markdown link or image; an image may be the label of a link. */
const MARKDOWN =
  /(!?)\[((?:!\[[^\][]*\]\([^()\s]*\)|[^\][])*)\]\(\s*(?:<([^<>]*)>|([^\s()]*(?:\([^\s()]*\)[^\s()]*)*))[^()]*\)/g;
const HTML_LINK =
  /<a\s[^<>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))[^<>]*>((?:(?!<\/?a[\s>]).)*)(?:<\/a\s*>|$)/gis;
const AUTOLINK = /<((?:https?:)?\/\/[^\s<>]+)>/gi;
const INLINE_TAG = /<\/?(?:b|code|del|em|font|i|ins|mark|s|small|span|strong|su[bp]|u|wbr)(?:\s[^<>]*)?>/gi;
const HTML_TAG = /<\/?[a-z][^<>]*>/gi;
/** Emphasis in Markdown, around words or a link: its asterisks hide nothing. */
const EMPHASIS = /(?<=^|[\s,;|(])(\*{1,3})(?=[^\s*])([^*]*)(?<!\s)\1(?=[.,;:!?)]*(?:$|[\s|]))/g;
const SEPARATORS = /[\s,;|]+/;
/** Stands for a link in the text beside it. */
const LINK = '\0';

/**
 * The parts of a text that name hosts, for texts with Markdown or HTML links: the target of each link (its label when the target is relative),
 * then what stands beside the links. The text itself when it contains no link. A mask alone, which is no host, when a link touches a mask:
 * the link is a fragment of a longer name then (`media.***[loops.example](/i)`).
 */
export function linkedTexts(text: string): string[] {
  if (!/[<[]/.test(text)) return [text];
  const links: string[] = [];
  const take = (target: string, label: string) => {
    links.push(/^\s*(?:https?:)?\/\//i.test(target) ? target : label);
    return LINK;
  };
  const beside = text
    .replace(MARKDOWN, (_link, image, label, bracketed, plain) =>
      image === '' ? take(bracketed ?? plain ?? '', label) : '',
    )
    .replace(HTML_LINK, (_link, double, single, plain, label) =>
      take(double ?? single ?? plain ?? '', label.replace(HTML_TAG, '')),
    )
    .replace(AUTOLINK, (_link, target) => take(target, target))
    .replace(INLINE_TAG, '')
    .replace(HTML_TAG, ' ')
    .replace(EMPHASIS, '$2')
    .split(SEPARATORS);
  if (links.length === 0) return [text];
  if (beside.some((word) => word.includes(LINK) && MASK.test(word))) return ['*'];
  return [...links, ...beside.flatMap((word) => word.split(LINK))].filter((part) => part.trim() !== '');
}
