/** What a visit did, request by request; there is no row once that is no longer kept. */
export interface VisitStepsTable {
  visit_id: number;
  /** A list of Step as JSON. */
  steps: string;
}
