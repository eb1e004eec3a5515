import { useState } from 'preact/hooks';
import { sentenceOf } from '../../api/problem.ts';
import { LoadFailed, Notice } from '../../components/notice.tsx';
import { useLoaded } from '../../state/load.ts';
import { LinkRow } from './link-row.tsx';
import { NewLinkForm } from './new-link-form.tsx';
import { changeShareLink, deleteShareLink, listShareLinks, type SharedPersona } from './share-api.ts';

/** The links of a persona: each leads to a page where a visitor can talk to it. */
export function ShareLinks({ persona, service }: { persona: SharedPersona; service: string }) {
  const { id: personaId } = persona;
  const loaded = useLoaded(`share-links ${personaId}`, () => listShareLinks(personaId));
  const [problem, setProblem] = useState<string | null>(null);

  async function change(work: Promise<unknown>): Promise<void> {
    try {
      await work;
      setProblem(null);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
    loaded.again();
  }

  return (
    <section class="card padded stack">
      <div>
        <h2>Links</h2>
        <p class="muted small">
          Whoever has the link can talk, without an account. Withdraw it, and its conversations end.
        </p>
      </div>
      <NewLinkForm persona={persona} made={loaded.again} />
      {problem !== null && (
        <Notice tone="bad">
          <span>{problem}</span>
        </Notice>
      )}
      {loaded.state === 'failed' && <LoadFailed message={loaded.message} error={loaded.error} again={loaded.again} />}
      {loaded.state === 'ready' && loaded.value.data.length > 0 && (
        <ul class="share-links" aria-label="Links of this persona">
          {loaded.value.data.map((link) => (
            <LinkRow
              key={link.id}
              link={link}
              service={service}
              setEnabled={(enabled) => void change(changeShareLink(link.id, { enabled }))}
              remove={() => void change(deleteShareLink(link.id))}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
