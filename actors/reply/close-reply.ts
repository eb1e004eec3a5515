import { lastUserLanguage } from '../history/conversation-history.ts';
import type { TurnRecord } from '../report.ts';
import { closeTurn, mark } from '../report-builder/turn-timings.ts';
import type { BusEvent } from '../kernel/inner-events.ts';
import { NO_USES, providersOf } from '../providers/provider-uses.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import type { Delivered } from './delivery-actions.ts';
import { rememberSpoken } from './remember-reply.ts';
import type { UserMarks } from './reply-events.ts';

/** Delivery of a message has ended. History, transcript and the turn's record get exactly what was heard. */
export function closeReply(
  env: SessionEnvironment,
  turn: {
    readonly record: TurnRecord;
    readonly userText: string | null;
    /** See `rememberSpoken`. */
    readonly unfinished: number | null;
    /** An apology is in the transcript, and not in the history. */
    readonly spokenAs: 'answer' | 'apology';
  },
  delivered: Delivered,
): void {
  const { messageId, steps, interrupted } = delivered;
  if (turn.spokenAs === 'answer')
    env.memory.history = rememberSpoken(env.memory.history, messageId, steps, interrupted, turn.unfinished);
  env.memory.spokenLanguage = lastUserLanguage(env.memory.history) ?? env.memory.spokenLanguage;
  const text = delivered.steps
    .map((step) => step.spoken)
    .join('')
    .trim();
  const { startedAt, endedAt } = delivered;
  if (text !== '') {
    env.perform({
      type: 'report',
      entry: {
        kind: 'message',
        message: {
          messageId: delivered.messageId,
          role: 'persona',
          text,
          at: startedAt ?? env.now(),
          interrupted: delivered.interrupted,
          speakingMs: startedAt === null || endedAt === null ? null : Math.max(0, endedAt - startedAt),
        },
      },
    });
  }
  const record = endedAt === null ? turn.record : mark(turn.record, 'speakingEndedAt', endedAt);
  env.perform({
    type: 'report',
    entry: {
      kind: 'turn',
      turn: {
        ...closeTurn(record, {
          interrupted: delivered.interrupted,
          userText: turn.userText,
          personaText: text === '' ? null : text,
        }),
        // Left out where there are none: logs from before this field then replay to the same reports.
        ...(env.memory.providers !== NO_USES && { providers: providersOf(record, env.memory.providers) }),
      },
    },
  });
}

export function markUser(record: TurnRecord, marks: UserMarks | null): TurnRecord {
  if (marks === null) return record;
  const spoken = mark(mark(record, 'userSpeechStartedAt', marks.startedAt), 'userSpeechEndedAt', marks.endedAt);
  return mark(mark(spoken, 'endOfTurnAt', marks.decidedAt), 'transcribedAt', marks.transcribedAt);
}

/** Stages of the turn that speech events show. One message plays at a time, so the segment id is not needed. */
export function markSpeech(record: TurnRecord, event: BusEvent, at: number): TurnRecord {
  switch (event.type) {
    case 'speech.firstAudio':
      return mark(record, 'synthesisFirstAudioAt', at);
    case 'speech.timing':
      return event.complete ? mark(record, 'synthesisEndedAt', at) : record;
    case 'speech.started':
      return mark(record, 'speakingStartedAt', at);
    case 'speech.finished':
      return mark(record, 'speakingEndedAt', at);
    default:
      return record;
  }
}
