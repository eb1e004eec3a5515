import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { InputError, problemsWith, refusalText } from '../../api/problem.ts';
import { getPersona } from '../../api/routes.ts';
import type { Persona } from '../../api/types.ts';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page.tsx';
import { FormFields } from '../../components/problems.tsx';
import { useFocusOnProblem } from '../../state/form-work.ts';
import { keepChanges, keptChanges } from '../../state/kept-changes.ts';
import { go, NEW, route } from '../../state/route.ts';
import { confirmed } from '../../state/question.ts';
import { useWork } from '../../state/work.ts';
import { discardDraft, type StoredDraft } from './draft-api.ts';
import { PersonaActions } from './persona-actions.tsx';
import { type Changes, type Choices, draftOf, isSame, withChange } from './persona-draft.ts';
import { PublishDialog } from './publish-dialog.tsx';
import { SaveBar } from './save-bar.tsx';
import { savePersona } from './save-persona.ts';
import { problemsIn } from './section.ts';
import { SectionNav } from './section-nav.tsx';
import { SECTIONS } from './sections.tsx';
import { TrialPanel, tryDraft } from './trial-panel.tsx';

/** What is wrong with them is shown in their part. */
const FIELDS = SECTIONS.flatMap(({ fields }) => fields);

/**
 * The parts of the editor around one set of changes to what is live. They are kept in this browser until they are saved
 * as the draft, and the draft is kept by the service until it is published or discarded.
 */
export function EditorForm(props: { persona: Persona | null; draft: StoredDraft | null; choices: Choices }) {
  const { choices: loaded } = props;
  const [saved, setSaved] = useState(props.persona);
  const [choices, setChoices] = useState(loaded);
  const base = useMemo(() => draftOf(saved, loaded), [saved, loaded]);
  const name = saved?.id ?? NEW;
  const [stored, setStored] = useState<Changes>(() => withChange(base, {}, (props.draft?.changes ?? {}) as Changes));
  const [restored, setRestored] = useState(() => keptChanges<Changes>(name) !== null);
  const [changes, setChanges] = useState<Changes>(() => withChange(base, {}, keptChanges<Changes>(name) ?? stored));
  const [publishing, setPublishing] = useState<StoredDraft | null>(null);
  const [told, setTold] = useState('');
  // A part begins anew when its changes are discarded: some keep what was typed.
  const [round, setRound] = useState(0);
  const { work, run, forget } = useWork((error) => refusalText(error, FIELDS));
  const problems = work.state === 'failed' ? work.problems : [];
  const form = useId();
  const draft = { ...base, ...changes };
  const isChanged = !isSame(changes, stored);
  const isNew = saved === null;
  const hasDraft = Object.keys(stored).length > 0;
  const section = SECTIONS.find(({ id }) => id === route.value.part) ?? SECTIONS[0]!;
  const address = `#/personas/${encodeURIComponent(name)}`;
  useEffect(() => keepChanges(name, isChanged ? changes : null), [name, changes, isChanged]);
  const page = useRef<HTMLDivElement>(null);
  useFocusOnProblem(page, work, section.id);

  function set(part: Changes): void {
    setChanges((before) => withChange(base, before, part));
    for (const field of Object.keys(part)) forget(field);
    setTold('');
  }

  /** Shows a part with a field that is wrong, unless this one has one. */
  function showProblem(error: unknown): void {
    const all = problemsWith(error);
    const first = SECTIONS.find(({ fields }) => problemsIn(fields, all) > 0);
    if (first !== undefined && problemsIn(section.fields, all) === 0) go(`${address}/${first.id}`);
  }

  /** Creates the persona, or saves the draft. @returns the draft; null: it was created. */
  async function save(): Promise<StoredDraft | null> {
    if (draft.name.trim() === '') throw new InputError({ path: 'name', message: 'Enter a name.' });
    const result = await savePersona(saved?.id ?? null, draft, changes, set);
    setRestored(false);
    keepChanges(name, null);
    if (result.kind === 'created') {
      go(`#/personas/${encodeURIComponent(result.persona.id)}/${section.id}`);
      return null;
    }
    const kept = withChange(base, {}, result.draft.changes as Changes);
    setStored(kept);
    setChanges(kept);
    setTold('Draft saved.');
    return result.draft;
  }

  const orShow = (task: () => Promise<void>) =>
    run(async () => {
      try {
        await task();
      } catch (error) {
        showProblem(error);
        throw error;
      }
    });

  /** What is live has changed: the form goes on from there. */
  function onLive(now: Persona, text: string): void {
    setSaved(now);
    setStored({});
    setChanges({});
    setPublishing(null);
    setRound(round + 1);
    setTold(text);
  }

  function onDiscard(): void {
    const question = hasDraft
      ? { title: 'Discard the draft?', text: 'What is live stays.', yes: 'Discard' }
      : { title: 'Discard what is not saved?', text: 'This cannot be undone.', yes: 'Discard' };
    void run(async () => {
      if (!(await confirmed(question))) return;
      if (saved !== null && hasDraft) await discardDraft(saved.id);
      for (const field of FIELDS) forget(field);
      setStored({});
      setChanges({});
      setRestored(false);
      setRound(round + 1);
      setTold('');
    });
  }

  return (
    <div ref={page}>
      <PageHead title={saved?.name ?? 'New persona'}>
        {saved !== null && (
          <PersonaActions
            persona={saved}
            draft={draft}
            onTry={() =>
              void orShow(async () => {
                if (isChanged) await save();
                tryDraft(saved, draft);
              })
            }
          />
        )}
      </PageHead>
      {restored && isChanged && (
        <Notice>
          <span>These changes are from before, and not saved yet.</span>
        </Notice>
      )}
      {saved !== null && props.draft !== null && hasDraft && props.draft.baseVersion < saved.version && (
        <Notice>
          <span>
            Version {saved.version} went live after this draft was begun with version {props.draft.baseVersion}. Compare
            before you publish.
          </span>
        </Notice>
      )}
      <div class="editor-columns">
        <SectionNav base={address} current={section} problems={problems} isNew={isNew} />
        <div>
          <h2 class="section-name">{section.name}</h2>
          {/* Fields name this form instead of standing in it: some parts open a form of their own. */}
          <form
            id={form}
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              void orShow(async () => void (await save()));
            }}
          />
          <FormFields value={{ problems, forget, id: form }}>
            <div key={`${section.id} ${round}`} class="stack section">
              {section.show({
                draft,
                set,
                choices,
                setChoices,
                persona: saved,
                personaId: saved?.id ?? null,
                hasDraft,
                onLive: async (text) => onLive(await getPersona(name), text),
              })}
            </div>
          </FormFields>
          <SaveBar
            form={form}
            work={work}
            state={{ isNew, isChanged, hasDraft, told, version: saved?.version ?? 0 }}
            onDiscard={onDiscard}
            onPublish={() =>
              void orShow(async () => {
                const kept = await save();
                if (kept !== null) setPublishing(kept);
              })
            }
          />
        </div>
        {saved !== null && <TrialPanel personaId={saved.id} />}
      </div>
      {publishing !== null && saved !== null && (
        <PublishDialog
          persona={saved}
          draft={publishing}
          choices={choices}
          onClose={() => setPublishing(null)}
          onPublished={(now) => onLive(now, `Published as version ${now.version}.`)}
        />
      )}
    </div>
  );
}
