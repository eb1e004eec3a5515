import { useId, useRef, useState } from 'preact/hooks';
import { getPersona } from '../../api/routes.ts';
import type { Persona } from '../../api/types.ts';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page.tsx';
import { useBlocked } from '../../components/permission.tsx';
import { FormFields } from '../../components/problems.tsx';
import { useFocusOnProblem } from '../../state/form-work.ts';
import { route } from '../../state/route.ts';
import type { StoredDraft } from './draft-api.ts';
import { PersonaActions } from './persona-actions.tsx';
import type { Choices } from './persona-draft.ts';
import { PublishDialog } from './publish-dialog.tsx';
import { SaveBar } from './save-bar.tsx';
import { SectionNav } from './section-nav.tsx';
import { SECTIONS } from './sections.tsx';
import { TrialPanel, tryDraft } from './trial-panel.tsx';
import { type Editor, useEditor } from './use-editor.ts';

/**
 * The parts of the editor around one set of changes to what is live. They are kept in this browser until they are saved
 * as the draft, and the draft is kept by the service until it is published or discarded.
 */
export function EditorForm(props: { persona: Persona | null; draft: StoredDraft | null; choices: Choices }) {
  const [choices, setChoices] = useState(props.choices);
  const [publishing, setPublishing] = useState<StoredDraft | null>(null);
  const section = SECTIONS.find(({ id }) => id === route.value.part) ?? SECTIONS[0]!;
  const editor = useEditor(props, section);
  const { persona, work } = editor;
  const page = useRef<HTMLDivElement>(null);
  useFocusOnProblem(page, work, section.id);
  const publish = (): void =>
    editor.runOrShow(async () => {
      const kept = await editor.save();
      if (kept !== null) setPublishing(kept);
    });

  return (
    <div ref={page}>
      <Head editor={editor} choices={choices} />
      <Notices editor={editor} baseVersion={props.draft?.baseVersion ?? null} />
      <div class="editor-columns">
        <SectionNav
          base={editor.address}
          current={section}
          problems={work.state === 'failed' ? work.problems : []}
          isNew={persona === null}
        />
        <SectionForm editor={editor} section={section} choices={choices} setChoices={setChoices} onPublish={publish} />
        {persona !== null && <TrialPanel personaId={persona.id} />}
      </div>
      {publishing !== null && persona !== null && (
        <PublishDialog
          persona={persona}
          draft={publishing}
          choices={choices}
          onClose={() => setPublishing(null)}
          onPublished={(now) => {
            setPublishing(null);
            editor.onLive(now, `Published as version ${now.version}.`);
          }}
        />
      )}
    </div>
  );
}

function Head({ editor: { persona, draft, made, save, runOrShow }, choices }: { editor: Editor; choices: Choices }) {
  return (
    <PageHead title={persona?.name ?? 'New persona'}>
      {persona !== null && (
        <PersonaActions
          persona={persona}
          draft={draft}
          choices={choices}
          onTry={() =>
            runOrShow(async () => {
              if (made.isChanged) await save();
              tryDraft(persona, draft);
            })
          }
        />
      )}
    </PageHead>
  );
}

/** @param props.baseVersion that the draft was begun with. Null: there was none. */
function Notices({ editor: { persona, made }, baseVersion }: { editor: Editor; baseVersion: number | null }) {
  return (
    <>
      {made.isRestored && made.isChanged && (
        <Notice>
          <span>These changes are from before, and not saved yet.</span>
        </Notice>
      )}
      {persona !== null && baseVersion !== null && made.hasDraft && baseVersion < persona.version && (
        <Notice>
          <span>
            Version {persona.version} went live after this draft was begun with version {baseVersion}. Compare before
            you publish.
          </span>
        </Notice>
      )}
    </>
  );
}

/** The part that is shown, and what saves it. */
function SectionForm(props: {
  editor: Editor;
  section: (typeof SECTIONS)[number];
  choices: Choices;
  setChoices: (choices: Choices) => void;
  onPublish: () => void;
}) {
  const { editor, section, choices, setChoices } = props;
  const { persona, made, draft, work, forget, told } = editor;
  const { isChanged, hasDraft } = made;
  const form = useId();
  const isReadOnly = useBlocked() !== null;
  return (
    <div>
      <h2 class="section-name">{section.name}</h2>
      {/* Fields name this form instead of standing in it: some parts open a form of their own. */}
      <form
        id={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isReadOnly) editor.runOrShow(async () => void (await editor.save()));
        }}
      />
      <FormFields value={{ problems: work.state === 'failed' ? work.problems : [], forget, id: form, isReadOnly }}>
        <div key={`${section.id} ${made.round}`} class="stack section">
          {section.show({
            draft,
            set: editor.set,
            choices,
            setChoices,
            persona,
            personaId: persona?.id ?? null,
            hasDraft,
            onLive: async (text) => {
              if (persona !== null) editor.onLive(await getPersona(persona.id), text);
            },
          })}
        </div>
      </FormFields>
      <SaveBar
        form={form}
        work={work}
        state={{ isNew: persona === null, isChanged, hasDraft, told, version: persona?.version ?? 0 }}
        onDiscard={editor.discard}
        onPublish={props.onPublish}
      />
    </div>
  );
}
