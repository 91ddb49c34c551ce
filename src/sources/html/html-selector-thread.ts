import { parentPort, workerData } from 'node:worker_threads';
import type { HtmlTask } from './html-selector.ts';
import { selectHtml } from './select-html.ts';

// Entry point of the thread that parses one page.
const { html, queries } = workerData as HtmlTask;
parentPort?.postMessage(selectHtml(html, queries));
