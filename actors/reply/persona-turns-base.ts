import type { ActorRefFrom } from 'xstate';
import type { ConversationHistory } from '../history/conversation-history.ts';
import { actorSetup, type ActorContext } from '../kernel/actor-setup.ts';
import type { TalkQueue } from '../talk-stream/talk-queue.ts';
import type { CurrentTurn } from './current-turn.ts';
import { replyMachine } from './reply-machine.ts';
import type { TurnLeft } from './reply-events.ts';
import { talkMachine } from './talk-machine.ts';
import type { TurnQueueItem } from './turn-queue.ts';

/** A reply that was generated before the user's turn was certain. */
export interface PreemptiveReply {
  readonly ref: ActorRefFrom<typeof replyMachine>;
  readonly text: string;
  /** As the LLM was given it. */
  readonly history: ConversationHistory;
}

export interface PersonaTurnsContext extends ActorContext {
  readonly current: CurrentTurn;
  readonly preemptive: PreemptiveReply | null;
  readonly turnQueue: readonly TurnQueueItem[];
  readonly talk: TalkQueue;
  readonly uninterruptibles: number;
  readonly spawned: number;
  /** When the persona was last audible. `to` is `Infinity` while it is audible. */
  readonly audible: { readonly from: number; readonly to: number } | null;
}

export type PersonaTurnsEvent = TurnLeft | { readonly type: 'turnQueue.done' } | { readonly type: 'talk.idle' };

/** Functions that both actions and guards of the persona's turns use. */
export const personaTurnsBase = actorSetup({
  types: {} as { context: PersonaTurnsContext; events: PersonaTurnsEvent },
  actors: { reply: replyMachine, talk: talkMachine },
});
