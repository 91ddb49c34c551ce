/** What the first visits of new domains came to, by the line and the turn in which they waited. */
export interface TurnYieldsTable {
  line: 'hinted' | 'new';
  /** Of `sources`; 0: domains of no source. */
  turn: number;
  visited: number;
  /** How many were found to be Loops, at the first visit or later. */
  loops: number;
}
