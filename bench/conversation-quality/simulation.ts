import { createSession, type Session } from '../../actors/session/create-session.ts';
import type { SessionCommand } from '../../actors/commands.ts';
import { seededIds } from '../../actors/kernel/seeded-ids.ts';
import { SteppingClock } from '../../actors/kernel/stepping-clock.ts';
import type { SessionConfig } from '../../actors/session-config.ts';
import { WINDOW_MS } from '../../actors/vad/vad-window.ts';
import { Random } from './random.ts';
import { SimulatedServices } from './simulated-services.ts';
import type { AudioWindow } from './user-audio.ts';

/** Time from the last sample of a window to its VAD result: decoding, filtering and one run of the model. */
const VAD_DELAY_MS = 12;
/** Wrong words of ten, for a user at the microphone. */
export const MISTAKES = 0.06;

/** A live session on a simulated clock, whose services are simulated too. */
export interface Simulation {
  readonly session: Session;
  readonly clock: SteppingClock;
  readonly services: SimulatedServices;
  /** The microphone hears one window. */
  listen(window: AudioWindow): void;
}

/** @param ids what all ids are made from. @param watch sees each command before the services do. */
export function openSimulation(
  config: SessionConfig,
  ids: string,
  seed: number,
  watch: (command: SessionCommand) => void = () => {},
): Simulation {
  const clock = new SteppingClock();
  const session = createSession({
    config,
    clock,
    ids: seededIds(ids),
    startedAtWall: 0,
    endOfTurnModelAvailable: false,
    perform: (command) => {
      watch(command);
      services.perform(command);
    },
  });
  const services: SimulatedServices = new SimulatedServices(clock, new Random(seed ^ 0xace), (event) =>
    session.dispatch(event),
  );
  for (const event of [
    { type: 'socket.opened' },
    { type: 'offer.received', kind: 'first' },
    { type: 'peer.connected', kind: 'first' },
    { type: 'channel.opened' },
    { type: 'pipeline.ready' },
    { type: 'media.started' },
  ] as const)
    session.dispatch(event);
  return {
    session,
    clock,
    services,
    listen({ probability, levelDb }) {
      clock.advance(WINDOW_MS);
      const endsAt = clock.now();
      clock.setTimeout(() => session.dispatch({ type: 'vad.window', probability, levelDb, endsAt }), VAD_DELAY_MS);
    },
  };
}
