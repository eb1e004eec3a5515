import { personaJustAsked } from '../history/conversation-history.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import { modeOf } from '../meeting/conversation-mode.ts';
import { learnLevel } from './speaker-level.ts';
import { heardVoice, isForOthers, type Company, type OpenTurn } from './user-turn.ts';

export function companyOf(env: SessionEnvironment): Company {
  const { speaker, history, settings, spokenLanguage } = env.memory;
  return {
    speaker,
    mode: modeOf(env),
    language: settings.languageCode ?? spokenLanguage,
    personaJustAsked: personaJustAsked(history),
  };
}

/** Something was said to somebody else, or by somebody else. */
export function noteIgnored(env: SessionEnvironment, turn: OpenTurn): void {
  if (isForOthers(turn, companyOf(env))) noteLevel(env, turn, 'ignored');
}

export function noteLevel(env: SessionEnvironment, turn: OpenTurn, outcome: 'answered' | 'ignored'): void {
  const { config, memory } = env;
  if (config.meeting === null) memory.speaker = learnLevel(memory.speaker, heardVoice(turn, companyOf(env)), outcome);
}
