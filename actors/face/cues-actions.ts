import { assign, enqueueActions } from 'xstate';
import { canAct, checkCue, cueDueAt, type DirectorCue } from '../director-cues/director-cue.ts';
import type { BusEvent } from '../kernel/inner-events.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import { actorSetup, type ActorContext } from '../kernel/actor-setup.ts';

/** Cues that wait for their time; more is a client running wild. */
const WAITING_MAX = 32;

interface WaitingCue {
  readonly cue: DirectorCue;
  readonly receivedAt: number;
}

interface Context extends ActorContext {
  readonly waiting: readonly WaitingCue[];
  /** Start of the persona's current speech. */
  readonly speechStartedAt: number | null;
  readonly turn: { readonly correlationId: string; readonly userActionAt: number };
}

type CueEvent = BusEvent | { readonly type: 'cue.due' };

/** What the names in the table of `cues-machine.ts` stand for. */
export const cuesSetup = actorSetup({ types: {} as { context: Context; events: CueEvent } }).extend({
  guards: {
    canAct: ({ context }) => canAct(context.env.config.avatar.model),
    isActing: ({ context }) => context.env.memory.cue !== null,
  },
  actions: {
    take: enqueueActions(({ context: { env, waiting }, event, enqueue }) => {
      if (event.type !== 'client.cue') return;
      const checked = checkCue(event);
      if (!checked.ok)
        return env.perform({
          type: 'signal.warning',
          code: 'cue_rejected',
          text: `Director note cue rejected: ${checked.problem}`,
        });
      if (waiting.length < WAITING_MAX)
        enqueue.assign({ waiting: [...waiting, { cue: checked.cue, receivedAt: env.now() }] });
    }),
    playDue: enqueueActions(({ context: { env, waiting, speechStartedAt, turn }, enqueue }) => {
      const due = waiting.map((entry) => ({ entry, at: cueDueAt(entry.cue, entry.receivedAt, speechStartedAt) }));
      const later = due.filter(({ at }) => at === null || at > env.now());
      for (const { entry } of due
        .filter((item) => !later.includes(item))
        .toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))) {
        act(env, entry.cue.tag);
        env.perform({
          type: 'message.send',
          message: {
            messageType: 'directorNoteCueApplied',
            data: {
              session_id: env.config.sessionId,
              user_action_correlation_id: turn.correlationId,
              timestamp_user_action: env.iso(turn.userActionAt),
              cue_tag: entry.cue.tag,
            },
          },
        });
      }
      enqueue.assign({ waiting: later.map(({ entry }) => entry) });
      const times = later.flatMap(({ at }) => (at === null ? [] : [at]));
      enqueue.cancel('cue');
      if (times.length > 0) enqueue.raise({ type: 'cue.due' }, { id: 'cue', delay: Math.min(...times) - env.now() });
    }),
    actInline: ({ context: { env }, event }) => {
      if (event.type === 'persona.cue') act(env, event.tag);
    },
    actAsUsual: ({ context: { env } }) => act(env, null),
    noteSpeech: assign({ speechStartedAt: ({ context }) => context.speechStartedAt ?? context.env.now() }),
    noteSilence: assign({ speechStartedAt: null }),
    noteTurn: assign({ turn: ({ context, event }) => (event.type === 'persona.turnBegun' ? event : context.turn) }),
  },
});

function act(env: SessionEnvironment, tag: string | null): void {
  env.memory.cue = tag;
  env.perform({ type: 'face.cue', tag });
}
