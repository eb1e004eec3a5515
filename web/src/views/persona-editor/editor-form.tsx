import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { InputError, problemsWith, refusalText } from '../../api/problem.ts';
import type { Persona } from '../../api/types.ts';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page.tsx';
import { FormFields } from '../../components/problems.tsx';
import { useFocusOnProblem } from '../../state/form-work.ts';
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

/** What is wrong with them is shown in their part. */
const FIELDS = SECTIONS.flatMap(({ fields }) => fields);

/** The parts of the editor around one set of changes, which are kept until they are saved or discarded. */
export function EditorForm({ persona, choices: loaded }: { persona: Persona | null; choices: Choices }) {
  const [saved, setSaved] = useState(persona);
  const [choices, setChoices] = useState(loaded);
  const base = useMemo(() => draftOf(saved, loaded), [saved, loaded]);
  const name = saved?.id ?? NEW;
  const [changes, setChanges] = useState<Changes>(() => withChange(base, {}, keptChanges<Changes>(name) ?? {}));
  const [restored, setRestored] = useState(() => Object.keys(changes).length > 0);
  const [wasSaved, setWasSaved] = useState(false);
  // A part begins anew when its changes are discarded: some keep what was typed.
  const [round, setRound] = useState(0);
  const { work, run, forget } = useWork((error) => refusalText(error, FIELDS));
  const problems = work.state === 'failed' ? work.problems : [];
  const form = useId();
  const draft = { ...base, ...changes };
  const section = SECTIONS.find(({ id }) => id === route.value.part) ?? SECTIONS[0]!;
  const address = `#/personas/${encodeURIComponent(name)}`;
  useEffect(() => keepChanges(name, changes), [name, changes]);
  const page = useRef<HTMLDivElement>(null);
  useFocusOnProblem(page, work, section.id);

  function set(part: Changes): void {
    setChanges((before) => withChange(base, before, part));
    for (const field of Object.keys(part)) forget(field);
    setWasSaved(false);
  }

  /** Shows a part with a field that is wrong, unless this one has one. */
  function showProblem(error: unknown): void {
    const all = problemsWith(error);
    const first = SECTIONS.find(({ fields }) => problemsIn(fields, all) > 0);
    if (first !== undefined && problemsIn(section.fields, all) === 0) go(`${address}/${first.id}`);
  }

  async function save(): Promise<void> {
    if (draft.name.trim() === '') throw new InputError({ path: 'name', message: 'Enter a name.' });
    const now = await savePersona(saved?.id ?? null, draft, changes, set);
    setRestored(false);
    keepChanges(name, null);
    if (saved === null) {
      go(`#/personas/${encodeURIComponent(now.id)}/${section.id}`);
      return;
    }
    setChanges({});
    setSaved(now);
    setWasSaved(true);
  }

  function onSubmit(event: Event): void {
    event.preventDefault();
    void run(async () => {
      try {
        await save();
      } catch (error) {
        showProblem(error);
        throw error;
      }
    });
  }

  function onDiscard(): void {
    if (!confirm('Discard what is not saved?')) return;
    for (const field of FIELDS) forget(field);
    setChanges({});
    setRestored(false);
    setRound(round + 1);
  }

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
          <h2 class="section-name">{section.name}</h2>
          {/* Fields name this form instead of standing in it: some parts open a form of their own. */}
          <form id={form} noValidate onSubmit={onSubmit} />
          <FormFields value={{ problems, forget, id: form }}>
            <div key={`${section.id} ${round}`} class="stack section">
              {section.show({ draft, set, choices, setChoices, personaId: saved?.id ?? null })}
            </div>
          </FormFields>
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
