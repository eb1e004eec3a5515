import { useState } from 'preact/hooks';
import type { Persona } from '../../api/types.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { FailedWork } from '../../components/notice.tsx';
import { useWork } from '../../state/work.ts';
import { DiffView } from './diff-view.tsx';
import { publishDraft, type StoredDraft } from './draft-api.ts';
import type { Choices } from './persona-draft.ts';

/** Shows what goes live, and asks why. */
export function PublishDialog(props: {
  persona: Persona;
  draft: StoredDraft;
  choices: Choices;
  onClose: () => void;
  onPublished: (now: Persona) => void;
}) {
  const { persona, draft, choices } = props;
  const [note, setNote] = useState('');
  const { work, run } = useWork();
  const { widgetConfig } = draft.changes;
  return (
    <Dialog title={`Publish version ${persona.version + 1}`} onClose={props.onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () => props.onPublished(await publishDraft(persona.id, note.trim())));
        }}
      >
        <p class="muted">
          Conversations that begin from now on have it. Those that go on keep version {persona.version}.
        </p>
        <Field label="Note" hint="What changes, and why. For the list of versions.">
          {(attributes) => (
            <input
              {...attributes}
              class="input"
              maxLength={2000}
              value={note}
              onInput={(event) => setNote(event.currentTarget.value)}
            />
          )}
        </Field>
        <DiffView
          before={{ ...draft.live, widgetConfig: persona.widgetConfig }}
          after={{ ...draft.content, widgetConfig: { ...persona.widgetConfig, ...widgetConfig } }}
          choices={choices}
        />
        <FailedWork work={work} />
        <div class="row end">
          <button class="button quiet" type="button" onClick={props.onClose}>
            Cancel
          </button>
          <button class="button primary" type="submit" disabled={work.state === 'running'}>
            {work.state === 'running' ? 'One moment…' : 'Publish'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
