import { everyRow } from '../../api/client.ts';
import { getPersona } from '../../api/routes.ts';
import type { Avatar, Llm, Voice } from '../../api/types.ts';
import { BackLink, Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { NEW } from '../../state/route.ts';
import { getDraft } from './draft-api.ts';
import { EditorForm } from './editor-form.tsx';

/** All fields of a persona, in parts. @param props.id null makes a new one. */
export function PersonaEditor({ id }: { id: string | null }) {
  const loaded = useLoaded(id ?? NEW, async () => {
    const [persona, draft, avatars, voices, llms] = await Promise.all([
      id === null ? null : getPersona(id),
      id === null ? null : getDraft(id),
      everyRow<Avatar>('/v1/avatars'),
      everyRow<Voice>('/v1/voices'),
      everyRow<Llm>('/v1/llms'),
    ]);
    return { persona, draft, choices: { avatars, voices, llms } };
  });
  return (
    <main class="page persona-editor">
      <BackLink href="#/">All personas</BackLink>
      <Shown loaded={loaded}>
        {({ persona, draft, choices }) => <EditorForm persona={persona} draft={draft} choices={choices} />}
      </Shown>
    </main>
  );
}
