import type { Client } from '@parley/client';
import { createContext } from 'react';
import type { PersonaState } from './persona-state.ts';

/** A conversation, and what a page can do with it. */
export interface PersonaHandle extends PersonaState {
  /** Asks for the microphone and begins. Call it from a click, so that browsers play sound. */
  readonly start: () => Promise<void>;
  readonly stop: () => void;
  readonly mute: (muted: boolean) => void;
  /** For everything else. Null when there is no conversation. */
  readonly client: Client | null;
}

export const PersonaContext = createContext<PersonaHandle | null>(null);
