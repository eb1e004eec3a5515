import type { SessionEnvironment } from '../kernel/environment.ts';
import type { HeardWords } from '../kernel/inner-events.ts';
import { modeOf } from '../meeting/conversation-mode.ts';
import { askedOf } from '../meeting/is-for-persona.ts';
import { saidBy } from '../meeting/said.ts';
import { allParts, finalText, turnText, type OpenTurn } from './user-turn.ts';

/** The words of a turn. In a meeting they belong to people, and may be meant for others than the persona. */

/** @param which 'final': only finished utterances; 'all': with the partial text. */
export function heardWords(env: SessionEnvironment, turn: OpenTurn, which: 'final' | 'all'): HeardWords {
  const { meeting } = env.config;
  const parts = which === 'final' ? turn.parts : allParts(turn);
  const said = meeting === null ? [] : saidBy(parts, env.memory.meeting, env.now());
  return {
    text: which === 'final' ? finalText(turn) : turnText(turn),
    said,
    asked: askedOf({ said, language: turn.language, endedAt: turn.lastVoicedAt }, meeting, env.memory.meeting),
  };
}

/**
 * The words by which the end of a turn is judged. If somebody else has taken the floor, what was said before is over,
 * whatever it looked like.
 */
export function lastWords(env: SessionEnvironment, turn: OpenTurn): string {
  if (modeOf(env) === 'one-to-one') return turnText(turn);
  return saidBy(allParts(turn), env.memory.meeting, env.now()).at(-1)?.text ?? '';
}
