import { deletePersona } from '../../api/routes.ts';
import type { Persona } from '../../api/types.ts';
import { Icon } from '../../components/icon.tsx';
import { FailedWork } from '../../components/notice.tsx';
import { companionOf } from '../../state/companions.ts';
import { keepChanges, unsaved } from '../../state/kept-changes.ts';
import { go, NEW } from '../../state/route.ts';
import { start } from '../../state/talk.ts';
import { confirmed } from '../../state/question.ts';
import { useWork } from '../../state/work.ts';
import type { PersonaDraft } from './persona-draft.ts';

/** What can be done with a saved persona. @param props.draft as it stands in the form: a copy is made of it. */
export function PersonaActions(props: { persona: Persona; draft: PersonaDraft; onTry: () => void }) {
  const { persona, draft, onTry } = props;
  const { work, run } = useWork();

  function onTalk(): void {
    void start(companionOf(persona), true);
    go('#/');
  }
  async function onDuplicate(): Promise<void> {
    const text = 'There is a new persona that is not created yet. It is lost.';
    if (unsaved.value.has(NEW) && !(await confirmed({ title: 'Replace it by the copy?', text, yes: 'Replace' })))
      return;
    keepChanges(NEW, { ...draft, name: `${draft.name} (copy)` });
    go(`#/personas/${NEW}`);
  }
  function onDelete(): void {
    const text = 'Its share links end. This cannot be undone.';
    void run(async () => {
      if (!(await confirmed({ title: `Delete ${persona.name}?`, text, yes: 'Delete' }))) return;
      await deletePersona(persona.id);
      keepChanges(persona.id, null);
      go('#/');
    });
  }

  return (
    <div class="row persona-actions">
      <FailedWork work={work} />
      <button class="button" type="button" onClick={onTry}>
        <Icon name="talk" />
        Try<span class="label"> the draft</span>
      </button>
      <button class="button" type="button" onClick={onTalk}>
        <Icon name="mic" />
        Talk<span class="visually-hidden"> with {persona.name}</span>
      </button>
      <button class="button quiet" type="button" title="Duplicate" onClick={() => void onDuplicate()}>
        <Icon name="copy" />
        <span class="label">Duplicate</span>
      </button>
      <button
        class="button quiet delete"
        type="button"
        title="Delete"
        disabled={work.state === 'running'}
        onClick={onDelete}
      >
        <Icon name="trash" />
        <span class="label">Delete</span>
      </button>
    </div>
  );
}
