import type { SelectHtml } from '../../src/sources/html/html-selector.ts';
import { selectHtml } from '../../src/sources/html/select-html.ts';

/** Selects from a page without a worker thread. */
export const selectHtmlInThread: SelectHtml = async (html, queries) => selectHtml(html, queries);
