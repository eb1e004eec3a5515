import type { SessionEnvironment } from '../kernel/environment.ts';
import { isWordless } from '../text/backchannel.ts';
import { heardWords } from './heard-words.ts';
import type { OpenTurn } from './user-turn.ts';

/**
 * What was understood and not answered (said to somebody else, a sign of listening, words that the end of the session
 * cut off) stays in the transcript, marked as not for the persona. Neither the LLM nor the client gets it. Told again for
 * the same turn with more words, it replaces what was told before.
 */
export function reportUnanswered(env: SessionEnvironment, turn: OpenTurn): void {
  const { text, said } = heardWords(env, turn, 'all');
  const language = turn.language ?? env.memory.settings.languageCode ?? env.memory.spokenLanguage;
  if (text === '' || isWordless(text, language)) return;
  const speaker = [...new Set(said.map(({ name }) => name))].join(', ');
  env.perform({
    type: 'report',
    entry: {
      kind: 'message',
      message: {
        messageId: turn.correlationId,
        role: 'user',
        ...(speaker !== '' && { speaker }),
        text,
        at: turn.startedAt,
        speakingMs: Math.max(0, turn.lastVoicedAt - turn.startedAt),
        interrupted: false,
        forPersona: false,
      },
    },
  });
}
