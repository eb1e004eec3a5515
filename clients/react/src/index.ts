export { Persona, type PersonaProps } from './persona.tsx';
export { usePersona } from './use-persona.ts';
export { useTranscript } from './use-transcript.ts';
export type { PersonaHandle } from './persona-context.ts';
export type { PersonaState } from './persona-state.ts';
export type { PersonaTool, PersonaTools } from './tools.ts';
