import Table from 'cli-table3';
import { stringWidth } from '../../model/text/string-width.ts';
import { wrapLines } from '../../report/text-blocks.ts';
import type { Terminal } from '../command.ts';

export interface Column<Row> {
  title: string;
  cell: (row: Row) => string | number;
  /** Numbers are aligned to the right and never shortened. Default: text. */
  kind?: 'text' | 'number';
  /** When the table does not fit, columns are dropped in ascending order of this number; a column without one is never dropped. */
  drop?: number;
}

/** Text columns keep this width, in terminal columns, as long as another column can be dropped. */
const COMFORTABLE_WIDTH = 24;
/** Text is never shortened below this. */
const MIN_TEXT_WIDTH = 4;

const DEFAULT_COLUMNS = 80;

/** The columns of a terminal; 80 for another output, and for a terminal that reports 0. */
export function columnsOf({ isTTY, columns = 0 }: Terminal['stdout']): number {
  return isTTY === true && columns > 0 ? columns : DEFAULT_COLUMNS;
}

/** The columns that a table may take: those of a terminal; unlimited when the output is no terminal. */
export function tableWidth(stdout: Terminal['stdout']): number {
  return stdout.isTTY === true ? columnsOf(stdout) : Number.POSITIVE_INFINITY;
}

/** Lines of text, of which the longer ones are wrapped; ends with a line break. */
export function wrappedText(text: string, maxWidth: number): string {
  const lines = text.split('\n').flatMap((line) => (stringWidth(line) > maxWidth ? wrapLines(line, maxWidth) : line));
  return `${lines.join('\n')}\n`;
}

/**
 * A table of at most `maxWidth` terminal columns. If it does not fit, the least important columns are dropped (a line below names them), and
 * long texts are shortened.
 */
export function tableText<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  maxWidth = Number.POSITIVE_INFINITY,
): string {
  const measured = columns.map((column) => {
    const cells = rows.map((row) => String(column.cell(row)));
    const natural = Math.max(stringWidth(column.title), ...cells.map((cell) => stringWidth(cell)));
    return { ...column, cells, natural };
  });
  const shown = dropColumns(measured, maxWidth);
  const table = new Table({
    head: shown.map(({ title }) => title),
    // With a space on both sides.
    colWidths: shareWidth(shown, maxWidth).map((width) => width + 2),
    colAligns: shown.map(({ kind }) => (kind === 'number' ? 'right' : 'left')),
    style: { head: [], border: [], compact: true },
  });
  table.push(...rows.map((_, index) => shown.map(({ cells }) => cells[index] ?? '')));
  const dropped = measured.filter((column) => !shown.includes(column)).map(({ title }) => title);
  const note = `Not shown for lack of space: ${dropped.join(', ')}.`;
  return [table.toString(), ...(dropped.length === 0 ? [] : wrapLines(note, maxWidth))].join('\n');
}

interface Measured {
  kind?: 'text' | 'number';
  drop?: number;
  natural: number;
}

function dropColumns<Some extends Measured>(columns: readonly Some[], maxWidth: number): Some[] {
  const least = ({ kind, natural }: Measured) => (kind === 'number' ? natural : Math.min(natural, COMFORTABLE_WIDTH));
  let shown = [...columns];
  for (const column of columns.filter(({ drop }) => drop !== undefined).sort((a, b) => (a.drop ?? 0) - (b.drop ?? 0))) {
    if (totalWidth(shown.map(least)) <= maxWidth) break;
    shown = shown.filter((one) => one !== column);
  }
  return shown;
}

/** The width of each column; the widest text gives way first. */
function shareWidth(columns: readonly Measured[], maxWidth: number): number[] {
  const widths = columns.map(({ natural }) => natural);
  const textColumns = columns.flatMap(({ kind }, index) => (kind === 'number' ? [] : [index]));
  while (totalWidth(widths) > maxWidth) {
    const widest = textColumns.reduce(
      (best, index) => ((widths[index] ?? 0) > (widths[best] ?? -1) ? index : best),
      -1,
    );
    const width = widths[widest] ?? 0;
    if (width <= MIN_TEXT_WIDTH) break;
    widths[widest] = width - 1;
  }
  return widths;
}

/** With the frame: two outer edges with a space each, and three characters between two columns. */
function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + 3, 1);
}
