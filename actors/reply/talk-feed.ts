import { assign, enqueueActions } from 'xstate';
import { canAct } from '../director-cues/director-cue.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import type { BusEvent } from '../kernel/inner-events.ts';
import {
  acceptChunk,
  acceptTalk,
  closeIdle,
  cutShort,
  dropAll,
  frontStream,
  nextIdleAt,
  takePieces,
  type TalkQueue,
} from '../talk-stream/talk-queue.ts';
import type { PersonaTurnsEvent } from './persona-turns-base.ts';
import { preemptiveGeneration } from './preemptive-generation.ts';

/** Accepts talk streams of the client, passes their text to the turn that speaks them, and drops them. */
export const talkFeed = preemptiveGeneration.extend({
  actions: {
    acceptTalk: enqueueActions(({ context: { env, talk }, event, enqueue }) => {
      const next = accepted(env, talk, event);
      enqueue.assign({ talk: next });
      for (const stream of cutShort(talk, next)) {
        env.log('talk_cut_short', { characters: stream.length });
        env.perform({
          type: 'signal.warning',
          code: 'talk_cut_short',
          text: 'More text waits than a persona can speak: the end of a talk stream is left out.',
        });
      }
    }),
    closeIdleTalk: assign({ talk: ({ context }) => closeIdle(context.talk, context.env.now()) }),
    armTalkClock: enqueueActions(({ context, enqueue }) => {
      const at = nextIdleAt(context.talk);
      enqueue.cancel('talk-idle');
      if (at !== null)
        enqueue.raise({ type: 'talk.idle' }, { id: 'talk-idle', delay: Math.max(0, at - context.env.now()) });
    }),
    feedTalk: enqueueActions(({ context: { current, talk }, enqueue }) => {
      const front = frontStream(talk);
      if (current.kind !== 'talk' || front === null) return;
      const taken = takePieces(talk);
      enqueue.assign({ talk: taken.queue });
      if (taken.pieces.length > 0) enqueue.sendTo(current.ref, { type: 'talk.pieces', pieces: taken.pieces });
      if (front.end !== 'open') enqueue.sendTo(current.ref, { type: 'talk.complete' });
    }),
    dropTalk: enqueueActions(({ context: { env, talk }, enqueue }) => {
      const dropped = dropAll(talk);
      for (const correlationId of dropped.interrupted) env.perform({ type: 'signal.talkInterrupted', correlationId });
      enqueue.assign({ talk: dropped.queue });
    }),
  },
});

/** Whether the first stream has text, or has ended. */
export function hasTalk(talk: TalkQueue): boolean {
  const front = frontStream(talk);
  return front !== null && (front.pieces.length > 0 || front.end !== 'open');
}

function accepted(env: SessionEnvironment, talk: TalkQueue, event: BusEvent | PersonaTurnsEvent): TalkQueue {
  if (event.type === 'client.talk') return acceptTalk(talk, event.content, env.now(), env.ids);
  return event.type === 'client.talkChunk'
    ? acceptChunk(talk, event, env.now(), { ids: env.ids, utterances: canAct(env.config.avatar.model) })
    : talk;
}
