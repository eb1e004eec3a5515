import type { DataMessage } from './data-messages.ts';
import { EMPTY_TURN, type TurnRecord } from './turn-record.ts';

/**
 * Turns as this page sees them, for a service that does not send its own timings: speech end, transcript, first words.
 */
export function observedTurns(turns: readonly TurnRecord[], message: DataMessage, at: number): readonly TurnRecord[] {
  if (message.kind !== 'speech' && message.kind !== 'user-speech') return turns;
  const index = turns.findIndex(({ correlationId }) => correlationId === message.turn);
  const turn = turns[index] ?? { ...EMPTY_TURN, turnIndex: turns.length, correlationId: message.turn };
  const next = observed(turn, message, at);
  return index === -1 ? [...turns, next] : turns.with(index, next);
}

function observed(
  turn: TurnRecord,
  message: Extract<DataMessage, { kind: 'speech' | 'user-speech' }>,
  at: number,
): TurnRecord {
  if (message.kind === 'user-speech')
    return message.speaking
      ? { ...turn, userSpeechStartedAt: turn.userSpeechStartedAt ?? at }
      : { ...turn, userSpeechEndedAt: at };
  if (message.role === 'user') return { ...turn, transcribedAt: at, userText: message.text };
  return {
    ...turn,
    speakingStartedAt: turn.speakingStartedAt ?? at,
    personaText: (turn.personaText ?? '') + message.text,
    ...(message.last ? { speakingEndedAt: at, finishReason: message.interrupted ? 'interrupted' : 'completed' } : {}),
  };
}
