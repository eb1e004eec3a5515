import { useContext } from 'react';
import { PersonaContext, type PersonaHandle } from './persona-context.ts';

/** The conversation of the `<Persona>` around this component. @throws Error outside of one. */
export function usePersona(): PersonaHandle {
  const handle = useContext(PersonaContext);
  if (handle === null) throw new Error('usePersona and useTranscript work inside of <Persona>.');
  return handle;
}
