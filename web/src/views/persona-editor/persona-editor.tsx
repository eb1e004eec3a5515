import { everyRow } from '../../api/client.ts';
import { getPersona } from '../../api/routes.ts';
import type { Avatar, Llm, Voice } from '../../api/types.ts';
import { BackLink, Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { NEW } from '../../state/route.ts';
import { EditorForm } from './editor-form.tsx';

/** All fields of a persona, in parts. @param props.id null makes a new one. */
export function PersonaEditor({ id }: { id: string | null }) {
  const loaded = useLoaded(id ?? NEW, async () => {
    const [persona, avatars, voices, llms] = await Promise.all([
      id === null ? null : getPersona(id),
      everyRow<Avatar>('/v1/avatars'),
      everyRow<Voice>('/v1/voices'),
      everyRow<Llm>('/v1/llms'),
    ]);
    return { persona, choices: { avatars, voices, llms } };
  });
  return (
    <main class="page persona-editor">
      <BackLink href="#/">All personas</BackLink>
      <Shown loaded={loaded}>{({ persona, choices }) => <EditorForm persona={persona} choices={choices} />}</Shown>
    </main>
  );
}
