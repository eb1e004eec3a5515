import type { ServerMessage } from '../../../clients/js/src/index.ts';
import { EMPTY_TURN, type TurnRecord } from './turn-record.ts';

/**
 * Turns as this page sees them, for a service that does not send its own timings: speech end, transcript, first words.
 */
export function observedTurns(turns: readonly TurnRecord[], message: ServerMessage, at: number): readonly TurnRecord[] {
  if (message.kind !== 'speech' && message.kind !== 'user-speech') return turns;
  const correlationId = message.kind === 'speech' ? message.event.correlationId : message.correlationId;
  const index = turns.findIndex((turn) => turn.correlationId === correlationId);
  const turn = turns[index] ?? { ...EMPTY_TURN, turnIndex: turns.length, correlationId };
  const next = observed(turn, message, at);
  return index === -1 ? [...turns, next] : turns.with(index, next);
}

function observed(
  turn: TurnRecord,
  message: Extract<ServerMessage, { kind: 'speech' | 'user-speech' }>,
  at: number,
): TurnRecord {
  if (message.kind === 'user-speech')
    return message.phase === 'started'
      ? { ...turn, userSpeechStartedAt: turn.userSpeechStartedAt ?? at }
      : { ...turn, userSpeechEndedAt: at };
  const { role, content, endOfSpeech, interrupted } = message.event;
  if (role === 'user') return { ...turn, transcribedAt: at, userText: content };
  return {
    ...turn,
    speakingStartedAt: turn.speakingStartedAt ?? at,
    personaText: (turn.personaText ?? '') + content,
    ...(endOfSpeech ? { speakingEndedAt: at, finishReason: interrupted ? 'interrupted' : 'completed' } : {}),
  };
}
