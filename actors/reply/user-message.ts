import { addUser, type SpokenWords } from '../history/conversation-history.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import type { TranscriptMessage } from '../report.ts';
import { correctPublished, rememberPublished } from './published-turns.ts';
import type { HeardItem } from './turn-queue.ts';

/**
 * The user's message is certain. It goes to the transcript and to the history of the LLM, and to the client unless it
 * was typed there. In a meeting, a turn has a message for each speaker in it. A turn that corrects another one takes its
 * place, except for the client, whose messages do not change: it gets one more.
 */
export function publishHeard(env: SessionEnvironment, { source, at }: HeardItem): void {
  if (source.by === 'keyboard') return publish(env, { text: source.text, speaker: null, language: null, at });
  const { turn } = source;
  const { language, correlationId } = turn;
  if (turn.corrects !== undefined && correctPublished(env, turn.corrects, turn))
    return tellClient(env, env.ids.uuid(), turn.text, correlationId);
  const whole = { ...turn, speaker: null };
  const messages = turn.said.length === 0 ? [whole] : turn.said.map((one) => ({ ...one, speaker: one.name }));
  for (const { text, speaker, startedAt, endedAt } of messages) {
    const speakingMs = Math.max(0, endedAt - startedAt);
    publish(env, { text, speaker, language, at: startedAt, spoken: { correlationId, speakingMs } });
  }
}

interface Message extends SpokenWords {
  readonly language: string | null;
  readonly at: number;
  /** Absent: it was typed. */
  readonly spoken?: { readonly correlationId: string; readonly speakingMs: number };
}

function publish(env: SessionEnvironment, { text, speaker, language, at, spoken }: Message): void {
  const messageId = env.ids.uuid();
  if (spoken !== undefined) tellClient(env, messageId, text, spoken.correlationId);
  env.memory.history = addUser(env.memory.history, { id: messageId, text, language, speaker });
  env.memory.spokenLanguage = language ?? env.memory.settings.languageCode ?? env.memory.spokenLanguage;
  const message: TranscriptMessage = {
    messageId,
    role: 'user',
    ...(speaker !== null && { speaker }),
    text,
    at,
    speakingMs: spoken?.speakingMs ?? null,
    interrupted: false,
  };
  env.perform({ type: 'report', entry: { kind: 'message', message } });
  if (spoken !== undefined && speaker === null) rememberPublished(env, spoken.correlationId, message);
}

function tellClient(env: SessionEnvironment, messageId: string, text: string, correlationId: string): void {
  env.perform({
    type: 'message.send',
    message: {
      messageType: 'speechText',
      data: {
        message_id: messageId,
        content_index: 0,
        content: text,
        role: 'user',
        end_of_speech: true,
        interrupted: false,
        user_action_correlation_id: correlationId,
        timestamp: env.iso(env.now()),
      },
    },
  });
}
