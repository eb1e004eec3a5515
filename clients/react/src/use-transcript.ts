import type { Message } from '@parley/client';
import { usePersona } from './use-persona.ts';

/** What was said and typed, oldest first. The message that is spoken now grows word by word. */
export function useTranscript(): readonly Message[] {
  return usePersona().messages;
}
