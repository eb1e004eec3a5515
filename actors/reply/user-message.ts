import { addUser } from '../history/conversation-history.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import type { HeardItem } from './turn-queue.ts';

/**
 * The user's message is certain. It goes to the transcript and to the history of the LLM, and to the client unless it
 * was typed there.
 */
export function publishHeard(env: SessionEnvironment, { source, at }: HeardItem): void {
  const messageId = env.ids.uuid();
  const spoken = source.by === 'voice' ? source.turn : null;
  const text = source.by === 'voice' ? source.turn.text : source.text;
  if (spoken !== null) {
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
          user_action_correlation_id: spoken.correlationId,
          timestamp: env.iso(env.now()),
        },
      },
    });
  }
  const language = spoken?.language ?? null;
  env.memory.history = addUser(env.memory.history, { id: messageId, text, language });
  env.memory.spokenLanguage = language ?? env.memory.settings.languageCode ?? env.memory.spokenLanguage;
  env.perform({
    type: 'report',
    entry: {
      kind: 'message',
      message: {
        messageId,
        role: 'user',
        text,
        at: spoken?.startedAt ?? at,
        speakingMs: spoken === null ? null : Math.max(0, spoken.endedAt - spoken.startedAt),
        interrupted: false,
      },
    },
  });
}
