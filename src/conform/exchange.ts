import type { HttpFailure } from '../http/failure.ts';
import type { ProbeId } from './probes/probe-ids.ts';

export interface SentRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}

export interface Answer {
  status: number;
  /** In the order of the answer; names in lower case. */
  headers: readonly (readonly [name: string, value: string])[];
  text: string;
  /** Whether the bytes of the body are valid UTF-8; in `text`, invalid ones are replaced. */
  isUtf8: boolean;
}

/** One request and its answer. */
export interface ProbeExchange {
  /** In a test of a client, the scenario instead of a probe. */
  probe: ProbeId | `scenario ${string}`;
  request: SentRequest;
  /** ISO 8601, UTC. */
  startedAt: string;
  ms: number;
  /** Null when no answer arrived, or only a part of it. */
  answer: Answer | null;
  failure: HttpFailure | null;
}

/** The value of a header; several lines are joined by a comma. */
export function headerOf({ headers }: Pick<Answer, 'headers'>, name: string): string | undefined {
  const values = headers.filter(([key]) => key === name).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}
