import type { SelectHtml } from '../../src/sources/html/html-selection.ts';
import { selectHtml } from '../../src/sources/html/select-html.ts';

/** Parses a page on the thread of the test. */
export const selectHtmlHere: SelectHtml = async (html, queries) => selectHtml(html, queries);
