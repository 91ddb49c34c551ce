import { parentPort, workerData } from 'node:worker_threads';
import type { HtmlTask } from './html-selector.ts';
import { selectHtml } from './select-html.ts';

// Entry point of the thread that parses one page.
const { html, queries } = workerData as HtmlTask;
const selection = selectHtml(html, queries);
const transferred = selection.ok ? selection.found.map(({ buffer }) => buffer as ArrayBuffer) : [];
parentPort?.postMessage(selection, transferred);
