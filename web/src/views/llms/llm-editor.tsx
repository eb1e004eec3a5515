import { BackLink, PageHead, Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { go } from '../../state/route.ts';
import { getLlm } from './llm-api.ts';
import { LlmForm } from './llm-form.tsx';

/** @param id null makes a new one. */
export function LlmEditor({ id }: { id: string | null }) {
  const loaded = useLoaded(id ?? 'new', async () => (id === null ? null : getLlm(id)));
  return (
    <main class="page narrow">
      <BackLink href="#/llms">All LLMs</BackLink>
      <Shown loaded={loaded}>
        {(llm) => (
          <>
            <PageHead
              title={llm?.displayName ?? 'New LLM'}
              text={llm?.description ?? 'An endpoint of your own. Its key is stored encrypted and never shown.'}
            />
            {llm?.isDefault === true ? (
              <p class="card padded">Its operator configures it. Any persona can use it; it cannot be changed here.</p>
            ) : (
              <LlmForm llm={llm} cancel="#/llms" onSaved={() => go('#/llms')} onDeleted={() => go('#/llms')} />
            )}
          </>
        )}
      </Shown>
    </main>
  );
}
