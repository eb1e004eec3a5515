import type { ActorRefFrom } from 'xstate';
import type { SessionEnvironment } from '../kernel/environment.ts';
import { serviceMark } from '../phrases/service-mark.ts';
import { instruction } from '../phrases/phrases.ts';
import { asRead } from '../meeting/said.ts';
import type { AskItem, HeardItem } from './turn-queue.ts';
import type { replyMachine } from './reply-machine.ts';
import type { ReplyInput } from './reply-actions.ts';
import type { talkMachine } from './talk-machine.ts';

/** What the persona is doing. */
export type CurrentTurn =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'answer' | AskItem['kind'];
      readonly guarded: 'yes' | 'no';
      readonly correlationId: string;
      readonly userActionAt: number;
      readonly ref: ActorRefFrom<typeof replyMachine>;
    }
  | {
      readonly kind: 'greeting' | 'goodbye' | 'talk';
      readonly guarded: 'yes' | 'no';
      readonly correlationId: string;
      readonly userActionAt: number;
      readonly ref: ActorRefFrom<typeof talkMachine>;
    };

export const NO_TURN: CurrentTurn = { kind: 'none' };

/** Uninterruptible speech ("protected" in the contract). Uninterruptible tools tell it themselves. */
export function isGuarded(env: SessionEnvironment, kind: CurrentTurn['kind']): 'yes' | 'no' {
  return kind === 'goodbye' || ((kind === 'greet' || kind === 'greeting') && env.config.greeting.uninterruptible)
    ? 'yes'
    : 'no';
}

/** Turn 0 is the greeting, others count from 1. */
export function takeTurnIndex(env: SessionEnvironment, kind: CurrentTurn['kind']): number {
  if (kind === 'greet' || kind === 'greeting') return 0;
  const index = env.memory.nextTurnIndex;
  env.memory.nextTurnIndex = index + 1;
  return index;
}

/** The input of a reply. @param open whether it may speak at once. */
export function replyInput(env: SessionEnvironment, item: HeardItem | AskItem, open: boolean): ReplyInput {
  const kind: ReplyInput['kind'] = item.kind === 'heard' ? 'answer' : item.kind;
  const base = {
    env,
    kind,
    open,
    tentative: null,
    turnIndex: takeTurnIndex(env, kind),
  };
  if (item.kind !== 'heard') {
    return {
      ...base,
      correlationId: env.ids.uuid(),
      userActionAt: env.now(),
      instruction: item.kind === 'own' ? null : instruction(item.kind, env.memory.spokenLanguage, serviceMark(env.ids)),
      userText: null,
      marks: null,
    };
  }
  const { source } = item;
  return source.by === 'voice'
    ? {
        ...base,
        correlationId: source.turn.correlationId,
        userActionAt: source.turn.startedAt,
        instruction: null,
        userText: asRead(source.turn),
        marks: source.turn,
      }
    : {
        ...base,
        correlationId: source.correlationId,
        userActionAt: item.at,
        instruction: null,
        userText: source.text,
        marks: null,
      };
}
