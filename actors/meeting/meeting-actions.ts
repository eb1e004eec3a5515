import type { BusEvent } from '../kernel/inner-events.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import { actorSetup, type ActorContext } from '../kernel/actor-setup.ts';
import { takeParticipants, type MeetingState } from './meeting-state.ts';
import { noteSpeaking, wordWasTrueAt } from './who-spoke.ts';

/** What the names in the table of `meeting-machine.ts` stand for. */
export const meetingSetup = actorSetup({ types: {} as { context: ActorContext } }).extend({
  guards: {
    isInMeeting: ({ context }) => context.env.config.meeting !== null,
  },
  actions: {
    takeParticipants: ({ context: { env }, event }) => {
      if (event.type !== 'meeting.participants') return;
      const before = env.memory.meeting.others.length;
      env.memory.meeting = takeParticipants(env.memory.meeting, event.participants, trueAt(env));
      const others = env.memory.meeting.others.length;
      if (others !== before) env.tell({ type: 'meeting.changed', others });
    },
    noteSpeaking: ({ context: { env }, event }) => {
      if (event.type !== 'meeting.speaking') return;
      const loud = noteSpeaking(env.memory.meeting.loud, event.participantId, event.speaking, trueAt(env));
      env.memory.meeting = { ...env.memory.meeting, loud };
    },
    noteTurn: changes((_, event) => (event.type === 'turn.ended' ? { asked: event.turn.asked, answered: null } : {})),
    /** Also where the persona goes on with an answer after a sound that was no interruption. */
    beginAnswer: changes(({ asked, answered }) => {
      const to = asked?.by ?? answered?.to;
      return { asked: null, answered: to === undefined ? null : { to, until: Infinity, askedQuestion: false } };
    }),
    endAnswer: changes(({ answered }, event, at) =>
      event.type === 'persona.inaudible'
        ? { answered: answered && { ...answered, until: at, askedQuestion: event.askedQuestion } }
        : {},
    ),
    forgetQuestion: changes(() => ({ asked: null })),
  },
});

/** When what the page says now was true. */
function trueAt(env: SessionEnvironment): number {
  return wordWasTrueAt(env.now(), env.memory.heardUntil);
}

/** An action that replaces something of what the session remembers of its meeting. */
function changes(change: (state: MeetingState, event: BusEvent, at: number) => Partial<MeetingState>) {
  return ({ context: { env }, event }: { context: { env: SessionEnvironment }; event: BusEvent }): void => {
    env.memory.meeting = { ...env.memory.meeting, ...change(env.memory.meeting, event, env.now()) };
  };
}
