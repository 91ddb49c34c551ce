import { parentPort, workerData } from 'node:worker_threads';
import type { HtmlTask } from './html-selector.ts';
import { selectHtml } from './select-html.ts';

// The script of a thread that takes one page apart.
const { html, queries } = workerData as HtmlTask;
const selection = selectHtml(html, queries);
const moved = selection.ok ? selection.found.map(({ buffer }) => buffer as ArrayBuffer) : [];
parentPort?.postMessage(selection, moved);
