/** Keys under which JSON interfaces announce a further page: `next`, `next_page_url`, `nextCursor`, `has_more`, `@odata.nextLink`. */
const NEXT_KEY =
  /^(?:@odata\.)?(?:next(?:[_-]?page)?(?:[_-]?(?:url|uri|link|href|cursor|token))?|has[_-]?(?:more|next)(?:[_-]?page)?)$/i;
const TARGET_KEY = /^(?:href|url|uri|cursor)$/i;

/** Depth of the values that may announce a page: `page.links.next.href`. */
export const ANNOUNCEMENT_DEPTH = 4;

/**
 * Whether a value outside the entries announces a further page: a link, a cursor, a page number or `true`.
 *
 * @param parent the key of the object that holds the value, if it is not in a list.
 */
export function announcesPage(key: string, parent: string | undefined, value: unknown): boolean {
  if (key === 'rel') return value === 'next';
  const name = TARGET_KEY.test(key) ? parent : key;
  if (name === undefined || !NEXT_KEY.test(name)) return false;
  return (
    value === true || (typeof value === 'number' && value > 0) || (typeof value === 'string' && !NOTHING.test(value))
  );
}

/** Texts that stand for no value. */
const NOTHING = /^\s*(?:false|null|none|0|-1)?\s*$/i;
