import type { NumberedChange } from '../../store/store-reader.ts';
import { isoTime } from '../../views/iso-time.ts';
import type { ChangeItem } from '../resources/history.ts';

/** A change as it is given out. */
export function changeItemOf({ domain, at, field, from, to, why, cause }: NumberedChange): ChangeItem {
  return { domain, at: isoTime(at), field, from, to, why, cause };
}
