import { assign } from 'xstate';
import type { EndReason } from '../report.ts';
import { connectionMachine } from '../connection/connection-machine.ts';
import { cuesMachine } from '../face/cues-machine.ts';
import { faceMachine } from '../face/face-machine.ts';
import { floorMachine } from '../floor/floor-machine.ts';
import { userTurnMachine } from '../floor/user-turn-machine.ts';
import { vadMachine } from '../vad/vad-machine.ts';
import { meetingMachine } from '../meeting/meeting-machine.ts';
import { lateResultsMachine } from '../late-results/late-results-machine.ts';
import { pauseMachine } from '../pause/pause-machine.ts';
import { personaTurnsMachine } from '../reply/persona-turns-machine.ts';
import { endOf, sessionEnd } from '../report-builder/end-reasons.ts';
import { silenceMachine } from '../silence/silence-machine.ts';
import { actorSetup, tells, type ActorContext } from '../kernel/actor-setup.ts';
import { providersMachine } from '../providers/providers-machine.ts';
import { lengthMachine } from './length-machine.ts';
import { settingsMachine } from './settings-machine.ts';

/**
 * How long open turns and tools have to end. A cut of the speech is answered in milliseconds, and waited for at most
 * 300 ms. Then the session closes in any case.
 */
const CLOSING_MS = 500;

interface Context extends ActorContext {
  readonly reason: EndReason;
  readonly connected: boolean;
}

/** The order in which these hear an event: who is there, then audio, then words, then the floor, then speech. */
const actors = {
  connection: connectionMachine,
  meeting: meetingMachine,
  listening: vadMachine,
  userTurn: userTurnMachine,
  floor: floorMachine,
  personaTurns: personaTurnsMachine,
  lateResults: lateResultsMachine,
  silence: silenceMachine,
  pause: pauseMachine,
  face: faceMachine,
  cues: cuesMachine,
  settings: settingsMachine,
  length: lengthMachine,
  providers: providersMachine,
};

const names = Object.keys(actors) as (keyof typeof actors)[];

/** The life of a session, from its creation to its end. */
export const sessionMachine = actorSetup({ types: {} as { context: Context }, actors })
  .extend({
    actions: {
      noteReason: assign({
        reason: ({ context, event }) =>
          event.type === 'session.end' || event.type === 'connection.over' || event.type === 'service.stop'
            ? event.reason
            : context.reason,
      }),
      noteConnected: assign({ connected: true }),
      tellEnding: tells({ type: 'session.ending' }),
      close: ({ context: { env, reason, connected } }) => {
        env.perform({ type: 'report', entry: { kind: 'end', end: sessionEnd(reason, connected, env.now()) } });
        env.perform({ type: 'session.close', text: endOf(reason).told, reason });
      },
    },
    delays: { closing: CLOSING_MS },
  })
  .createMachine({
    id: 'session',
    context: ({ input }) => ({ env: input.env, reason: 'engine_error', connected: false }),
    entry: 'join',
    initial: 'live',
    states: {
      live: {
        invoke: names.map((src) => ({ src, id: src, input: ({ context }) => ({ env: context.env }) })),
        initial: 'created',
        on: {
          'session.end': { target: '.ending', actions: 'noteReason' },
          'connection.over': { target: '.ending', actions: 'noteReason' },
          'service.stop': { target: '.ending', actions: 'noteReason' },
        },
        states: {
          created: { on: { 'socket.opened': 'connecting', 'connection.ready': 'active' } },
          connecting: { on: { 'connection.ready': 'active' } },
          active: { entry: 'noteConnected', on: { 'connection.held': 'held' } },
          held: { on: { 'connection.back': 'active' } },
          ending: {
            entry: 'tellEnding',
            after: { closing: '#session.ended' },
            on: {
              'session.settled': '#session.ended',
              // The first reason stands.
              'session.end': {},
              'connection.over': {},
              'service.stop': {},
            },
          },
        },
      },
      ended: { type: 'final', entry: 'close' },
    },
  });
