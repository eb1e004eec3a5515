import type {
  AudioPermissionState,
  Caption,
  ClientError,
  ConnectionState,
  FloorHolder,
  Message,
  SessionEnd,
} from '@parley/client';

/** What a page shows of a conversation. A new object after each change. */
export interface PersonaState {
  readonly phase: 'idle' | 'starting' | 'live' | 'ended';
  readonly connection: ConnectionState;
  readonly floor: FloorHolder;
  /** Of what is said now, or was last. */
  readonly caption: Caption | null;
  /** What was said and typed, oldest first, with the message that is spoken now. */
  readonly messages: readonly Message[];
  readonly muted: boolean;
  readonly microphone: AudioPermissionState;
  /** Why there is no conversation or no microphone. Null: all is well. */
  readonly error: ClientError | null;
  /** How the last conversation ended. */
  readonly end: SessionEnd | null;
}

/** Before the first start; also what a server renders. */
export const IDLE: PersonaState = {
  phase: 'idle',
  connection: 'closed',
  floor: 'nobody',
  caption: null,
  messages: [],
  muted: false,
  microphone: 'not_requested',
  error: null,
  end: null,
};
