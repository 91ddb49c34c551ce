import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { repository } from '../process/run-cli.ts';

const THEMES = {
  dark: { background: '#1e1e1e', foreground: '#d4d4d4' },
  // Terminals with a light background use darker colours.
  light: {
    background: '#ffffff',
    foreground: '#24292f',
    red: '#c4161c',
    green: '#1a7f37',
    yellow: '#bf8700',
    cyan: '#0b7285',
  },
};

export interface TerminalOptions {
  columns: number;
  theme: keyof typeof THEMES;
}

/** Renders terminal output, including escape sequences, in a terminal emulator as high as the text, and returns a PNG. */
export async function renderTerminal(page: Page, output: string, { columns, theme }: TerminalOptions): Promise<Buffer> {
  const read = (path: string) => readFileSync(join(repository, 'node_modules/@xterm/xterm', path), 'utf8');
  await page.setContent(`<!doctype html><style>${read('css/xterm.css')} ${fontFace()}
    body { margin: 0; background: ${THEMES[theme].background} } #terminal { padding: 12px }</style><div id="terminal"></div>`);
  await page.addScriptTag({ content: read('lib/xterm.js') });
  const size = await page.evaluate(
    async ([text, colours, columnCount]) => {
      const scope = globalThis as unknown as BrowserScope;
      for (const font of ['14px Terminal', 'bold 14px Terminal']) await scope.document.fonts.load(font);
      const rows = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columnCount)), 1);
      const terminal = new scope.Terminal({
        cols: columnCount,
        rows,
        theme: colours,
        fontFamily: 'Terminal, monospace',
        fontSize: 14,
        convertEol: true,
        cursorInactiveStyle: 'none',
      });
      const element = scope.document.querySelector('#terminal');
      terminal.open(element);
      await new Promise<void>((resolve) => terminal.write(text, resolve));
      await new Promise((resolve) => scope.requestAnimationFrame(resolve));
      const screen = scope.document.querySelector('.xterm-screen').getBoundingClientRect();
      const usedRows = terminal.buffer.active.baseY + terminal.buffer.active.cursorY + 1;
      // 24 px: the padding on both sides.
      return { width: Math.ceil(screen.width) + 24, height: Math.ceil((screen.height / rows) * usedRows) + 24 };
    },
    [output, THEMES[theme], columns] as const,
  );
  await page.setViewportSize(size);
  return page.screenshot({ clip: { x: 0, y: 0, ...size } });
}

/** The browser API used here; the project is compiled without DOM types. */
interface BrowserScope {
  document: {
    fonts: { load(font: string): Promise<unknown> };
    querySelector(selector: string): { getBoundingClientRect(): { width: number; height: number } };
  };
  requestAnimationFrame(callback: (time: number) => void): void;
  Terminal: new (
    options: object,
  ) => {
    open(element: unknown): void;
    write(text: string, done: () => void): void;
    buffer: { active: { baseY: number; cursorY: number } };
  };
}

/** A monospaced font in both weights; the test browser has none. */
function fontFace(): string {
  const faces = [400, 700].map((weight) => {
    const file = `node_modules/@fontsource/dejavu-mono/files/dejavu-mono-latin-${weight}-normal.woff2`;
    const data = readFileSync(join(repository, file)).toString('base64');
    return `@font-face { font-family: Terminal; font-weight: ${weight}; src: url(data:font/woff2;base64,${data}) }`;
  });
  return faces.join(' ');
}
