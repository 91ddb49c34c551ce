import type { StaticContext } from '../static/static-file.ts';
export function filterData(_c: StaticContext): string {
  return '{}';
}
