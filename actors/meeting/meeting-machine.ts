import { meetingSetup } from './meeting-actions.ts';

/** The meeting that the persona is in: who is there, who speaks, and who waits for an answer. */
export const meetingMachine = meetingSetup.createMachine({
  id: 'meeting',
  context: ({ input }) => ({ env: input.env }),
  entry: 'join',
  initial: 'deciding',
  states: {
    deciding: { always: [{ guard: 'isInMeeting', target: 'inside' }, { target: 'none' }] },
    inside: {
      on: {
        'meeting.participants': { actions: 'takeParticipants' },
        'meeting.speaking': { actions: 'noteSpeaking' },
        'turn.ended': { actions: 'noteTurn' },
        'persona.audible': { actions: 'beginAnswer' },
        'persona.inaudible': { actions: 'endAnswer' },
        /** The persona chose to say nothing, or was told to. */
        'silence.skip': { actions: 'forgetQuestion' },
        'pause.begun': { actions: 'forgetQuestion' },
        'client.interrupt': { actions: 'forgetQuestion' },
      },
    },
    /** An ordinary session. */
    none: { type: 'final' },
  },
});
