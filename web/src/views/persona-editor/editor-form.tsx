import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError, type Problem } from '../../api/client.ts';
import type { Persona } from '../../api/types.ts';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page.tsx';
import { FieldProblems, isAt } from '../../components/problems.tsx';
import { keepChanges, keptChanges } from '../../state/kept-changes.ts';
import { go, NEW, route } from '../../state/route.ts';
import { useWork } from '../../state/work.ts';
import { PersonaActions } from './persona-actions.tsx';
import { type Changes, type Choices, draftOf, withChange } from './persona-draft.ts';
import { SaveBar } from './save-bar.tsx';
import { savePersona } from './save-persona.ts';
import { problemsIn } from './section.ts';
import { SectionNav } from './section-nav.tsx';
import { SECTIONS } from './sections.tsx';

/** The parts of the editor around one set of changes, which are kept until they are saved or discarded. */
export function EditorForm({ persona, choices: loaded }: { persona: Persona | null; choices: Choices }) {
  const [saved, setSaved] = useState(persona);
  const [choices, setChoices] = useState(loaded);
  const base = useMemo(() => draftOf(saved, loaded), [saved, loaded]);
  const name = saved?.id ?? NEW;
  const [changes, setChanges] = useState<Changes>(() => withChange(base, {}, keptChanges<Changes>(name) ?? {}));
  const [restored, setRestored] = useState(() => Object.keys(changes).length > 0);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [wasSaved, setWasSaved] = useState(false);
  // A part begins anew when its changes are discarded: some keep what was typed.
  const [round, setRound] = useState(0);
  const { work, run } = useWork();
  const form = useId();
  const draft = { ...base, ...changes };
  const section = SECTIONS.find(({ id }) => id === route.value.part) ?? SECTIONS[0]!;
  const address = `#/personas/${encodeURIComponent(name)}`;
  useEffect(() => keepChanges(name, changes), [name, changes]);
  const page = useRef<HTMLDivElement>(null);
  const refused = useRef(false);
  // After a refusal the keyboard stands in the first field that is wrong.
  useEffect(() => {
    if (!refused.current || problemsIn(section.fields, problems) === 0) return;
    refused.current = false;
    page.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems, section.id]);

  function set(part: Changes): void {
    setChanges((before) => withChange(base, before, part));
    setProblems((before) => before.filter((problem) => !Object.keys(part).some((field) => isAt(problem, field))));
    setWasSaved(false);
  }

  function refuse(all: readonly Problem[]): void {
    setProblems(all);
    refused.current = true;
    const first = SECTIONS.find(({ fields }) => problemsIn(fields, all) > 0);
    if (first !== undefined && problemsIn(section.fields, all) === 0) go(`${address}/${first.id}`);
  }

  function onSubmit(event: Event): void {
    event.preventDefault();
    void run(async () => {
      if (draft.name.trim() === '') {
        refuse([{ path: 'name', message: 'Enter a name.' }]);
        throw new Error('The persona needs a name.');
      }
      try {
        const now = await savePersona(saved?.id ?? null, draft, changes, set);
        setProblems([]);
        setRestored(false);
        keepChanges(name, null);
        if (saved === null) {
          go(`#/personas/${encodeURIComponent(now.id)}/${section.id}`);
          return;
        }
        setChanges({});
        setSaved(now);
        setWasSaved(true);
      } catch (error) {
        if (error instanceof ApiError) refuse(error.problems);
        throw error;
      }
    });
  }

  function onDiscard(): void {
    if (!confirm('Discard what is not saved?')) return;
    setChanges({});
    setProblems([]);
    setRestored(false);
    setRound(round + 1);
  }

  const content = (
    <div key={`${section.id} ${round}`} class="stack section">
      {section.show({ draft, set, choices, setChoices, personaId: saved?.id ?? null })}
    </div>
  );
  return (
    <div ref={page}>
      <PageHead title={saved?.name ?? 'New persona'}>
        {saved !== null && <PersonaActions persona={saved} draft={draft} />}
      </PageHead>
      {restored && (
        <Notice>
          <span>These changes are from before, and not saved yet.</span>
        </Notice>
      )}
      <div class="editor-columns">
        <SectionNav base={address} current={section} problems={problems} />
        <div>
          <FieldProblems value={problems}>
            <h2 class="section-name">{section.name}</h2>
            <form id={form} noValidate onSubmit={onSubmit}>
              {section.hasForms !== true && content}
            </form>
            {section.hasForms === true && content}
          </FieldProblems>
          <SaveBar
            form={form}
            work={work}
            isNew={saved === null}
            isChanged={Object.keys(changes).length > 0}
            wasSaved={wasSaved}
            onDiscard={onDiscard}
          />
        </div>
      </div>
    </div>
  );
}
