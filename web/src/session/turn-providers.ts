import type { TurnRecord } from './turn-record.ts';

const SERVICES = [
  ['stt', 'STT'],
  ['llm', 'LLM'],
  ['tts', 'TTS'],
] as const;

/** @returns who understood, answered and said a turn, in the order in which they took over; null: nobody knows. */
export function providersText({ providers }: TurnRecord): string | null {
  const named = SERVICES.flatMap(([service, name]) => {
    const used = providers?.[service] ?? [];
    return used.length === 0 ? [] : [`${name}: ${used.join(' → ')}`];
  });
  return named.length === 0 ? null : named.join(' · ');
}
