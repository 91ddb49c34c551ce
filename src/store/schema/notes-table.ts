/** Single facts of the database as a whole. */
export interface NotesTable {
  key: string;
  value: string;
}
