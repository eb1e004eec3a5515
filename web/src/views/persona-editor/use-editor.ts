import { useMemo, useState } from 'preact/hooks';
import { InputError, problemsWith, refusalText } from '../../api/problem.ts';
import type { Persona } from '../../api/types.ts';
import { go, NEW } from '../../state/route.ts';
import { confirm } from '../../state/confirm.ts';
import { useWork, type Work } from '../../state/work.ts';
import { discardDraft, type StoredDraft } from './draft-api.ts';
import { type Changes, type Choices, draftOf, type PersonaDraft } from './persona-draft.ts';
import { savePersona } from './save-persona.ts';
import { problemsIn } from './section.ts';
import { SECTIONS } from './sections.tsx';
import { type FormChanges, useChanges } from './use-changes.ts';

/** What is wrong with them is shown in their part. */
const FIELDS = SECTIONS.flatMap(({ fields }) => fields);

export interface Editor {
  /** As it is live. Null: it is not created yet. */
  readonly persona: Persona | null;
  readonly made: FormChanges;
  /** The persona as the form shows it. */
  readonly draft: PersonaDraft;
  /** The editor's address, without a part. */
  readonly address: string;
  readonly work: Work;
  readonly forget: (path: string) => void;
  /** What was just done. */
  readonly told: string;
  set(part: Changes): void;
  /** Creates the persona, or saves the draft. @returns the draft; null: it was created. */
  save(): Promise<StoredDraft | null>;
  /** Runs a task. If it fails, a part with a field that is wrong is shown. */
  runOrShow(task: () => Promise<void>): void;
  discard(): void;
  /** What is live has changed: the form goes on from there. @param text says how. */
  onLive(now: Persona, text: string): void;
}

type Section = (typeof SECTIONS)[number];

/** What the editor does. @param section the part that is shown. */
export function useEditor(
  loaded: { readonly persona: Persona | null; readonly draft: StoredDraft | null; readonly choices: Choices },
  section: Section,
): Editor {
  const [persona, setPersona] = useState(loaded.persona);
  const [told, setTold] = useState('');
  const base = useMemo(() => draftOf(persona, loaded.choices), [persona, loaded.choices]);
  const made = useChanges(base, persona?.id ?? NEW, loaded.draft);
  const { work, run, forget } = useWork((error) => refusalText(error, FIELDS));
  const draft = { ...base, ...made.changes };
  const address = addressOf(persona?.id ?? NEW);

  function set(part: Changes): void {
    made.change(part);
    for (const field of Object.keys(part)) forget(field);
    setTold('');
  }

  async function save(): Promise<StoredDraft | null> {
    if (draft.name.trim() === '') throw new InputError({ path: 'name', message: 'Enter a name.' });
    const result = await savePersona(persona?.id ?? null, draft, made.changes, set);
    made.sent();
    if (result.kind === 'created') {
      go(`${addressOf(result.persona.id)}/${section.id}`);
      return null;
    }
    made.stored(result.draft, made.changes);
    setTold('Draft saved.');
    return result.draft;
  }

  function discard(): void {
    const question = made.hasDraft
      ? { title: 'Discard the draft?', text: 'What is live stays.', yes: 'Discard' }
      : { title: 'Discard what is not saved?', text: 'This cannot be undone.', yes: 'Discard' };
    void run(async () => {
      if (!(await confirm(question))) return;
      if (persona !== null && made.hasDraft) await discardDraft(persona.id);
      for (const field of FIELDS) forget(field);
      made.clear();
      setTold('');
    });
  }

  function onLive(now: Persona, text: string): void {
    setPersona(now);
    made.clear();
    setTold(text);
  }

  const runOrShow = (task: () => Promise<void>): void =>
    void run(() => task().catch((error: unknown) => showAndThrow(error, section, address)));
  return { persona, made, draft, address, work, forget, told, set, save, runOrShow, discard, onLive };
}

function addressOf(id: string): string {
  return `#/personas/${encodeURIComponent(id)}`;
}

/** Shows a part with a field that is wrong, unless this one has one. @throws the error */
function showAndThrow(error: unknown, section: Section, address: string): never {
  const all = problemsWith(error);
  const first = SECTIONS.find(({ fields }) => problemsIn(fields, all) > 0);
  if (first !== undefined && problemsIn(section.fields, all) === 0) go(`${address}/${first.id}`);
  throw error;
}
