import { html } from 'ghtml';
import type { Verdict } from '../../model/verdict.ts';
import type { Site } from '../site.ts';

const TONES: Readonly<Record<Verdict, string>> = {
  loops: 'good',
  other: '',
  alias: '',
  unidentified: 'fair',
  declined: 'fair',
  unreachable: 'bad',
};

export function verdictTag(verdict: Verdict, { words }: Site): string {
  return html`<span class="tag ${TONES[verdict]}">${words.domain.verdicts[verdict]}</span>`;
}
