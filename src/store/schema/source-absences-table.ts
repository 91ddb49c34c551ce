/** When sources were not among those that are read: removed from the settings, or switched off. One that is read for the first time has none. */
export interface SourceAbsencesTable {
  source_id: number;
  /** Epoch milliseconds, as is `back_at`: when that was found. */
  left_at: number;
  /** Null while it is away. */
  back_at: number | null;
}
