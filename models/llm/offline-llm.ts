import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { ProviderError, type LanguageModel } from '../ports.ts';
import { arithmetic } from './offline/answers/arithmetic.ts';
import { changeLanguage } from './offline/answers/change-language.ts';
import { dateAndTime } from './offline/answers/date-and-time.ts';
import { goodbye } from './offline/answers/goodbye.ts';
import { instructions } from './offline/answers/instructions.ts';
import { aboutMe, names } from './offline/answers/names.ts';
import { newcomer } from './offline/answers/newcomer.ts';
import { pause } from './offline/answers/pause.ts';
import { personaFacts } from './offline/answers/persona-facts.ts';
import { reflect } from './offline/answers/reflect.ts';
import { favouriteTopics, smallTalk } from './offline/answers/small-talk.ts';
import { toolResults } from './offline/answers/tool-results.ts';
import { answerToMyQuestion, askKnowledge, useTool } from './offline/answers/use-tool.ts';
import { readScene, type Answer, type Answerer } from './offline/scene.ts';

/** In order: the first one with an answer is used. Plain requests come before mentions. */
const ANSWERERS: readonly Answerer[] = [
  instructions,
  toolResults,
  answerToMyQuestion,
  goodbye,
  pause,
  changeLanguage,
  useTool,
  names,
  newcomer,
  aboutMe,
  arithmetic,
  dateAndTime,
  smallTalk,
  favouriteTopics,
  personaFacts,
  askKnowledge,
  reflect,
];

/** Words in one piece of the stream, about as many as an LLM sends at a time. */
const WORDS_PER_PIECE = 3;

/**
 * A rule-based stand-in for an LLM, when no account is set up. It greets, remembers a name, answers from attached
 * knowledge, calls tools that the words ask for, and otherwise asks back. It has no state: the same request at the same
 * time gets the same answer. It says what it is when asked.
 */
export function createOfflineLlm(options: { readonly now?: () => Date } = {}): LanguageModel {
  const now = options.now ?? (() => new Date());
  const name = 'offline';
  return {
    name,
    async *stream(request, signal) {
      request.used?.({ provider: name, place: 0 });
      const answer = answerTo(readScene(request, now()));
      if ('say' in answer && answer.say !== undefined) {
        for (const text of pieces(answer.say)) {
          await setImmediate();
          if (signal.aborted) throw new ProviderError(name, 'aborted', 'The answer is no longer wanted.');
          yield { type: 'text', text };
        }
      }
      if ('call' in answer)
        yield {
          type: 'tool-call',
          call: { id: `fc_${randomUUID()}`, name: answer.call, arguments: JSON.stringify(answer.args) },
        };
      yield { type: 'done', finishReason: 'call' in answer ? 'tool_calls' : 'stop' };
    },
  };
}

function answerTo(scene: ReturnType<typeof readScene>): Answer {
  for (const answerer of ANSWERERS) {
    const answer = answerer(scene);
    if (answer !== null) return answer;
  }
  return { quiet: true };
}

function pieces(text: string): string[] {
  return text.match(new RegExp(`(?:\\S+\\s*){1,${WORDS_PER_PIECE}}`, 'g')) ?? [];
}
