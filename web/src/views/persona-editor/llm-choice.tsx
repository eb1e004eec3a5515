import { useState } from 'preact/hooks';
import fields from '../../api/persona-fields.json';
import type { Llm } from '../../api/types.ts';
import { Dialog } from '../../components/dialog.tsx';
import { SelectField } from '../../components/fields.tsx';
import { Icon } from '../../components/icon.tsx';
import { ChangeButton } from '../../components/permission.tsx';
import { LlmForm } from '../llms/llm-form.tsx';
import { isDeprecated, llmsFor } from './persona-draft.ts';
import type { SectionProps } from './section.ts';

/** The LLM of the persona. A new one is made here, without leaving the persona. */
export function LlmChoice({
  draft,
  set,
  choices,
  setChoices,
}: Pick<SectionProps, 'draft' | 'set' | 'choices' | 'setChoices'>) {
  const [isMaking, setMaking] = useState(false);
  const { llms } = choices;
  const llm = llms.find(({ id }) => id === draft.llmId);
  const isOfClient = draft.llmId === fields.clientLlm;
  const close = (): void => setMaking(false);
  const offer = (made: Llm): void =>
    setChoices({ ...choices, llms: [...llms.filter(({ id }) => id !== made.id), made] });
  return (
    <>
      <div class="with-button">
        <SelectField
          label="LLM"
          path="llmId"
          value={draft.llmId ?? ''}
          hint={isOfClient ? 'A program of yours writes what the persona says.' : hintOf(llm)}
          onChange={(llmId) => set({ llmId })}
        >
          {llmsFor(draft.llmId, llms).map((one) => (
            <option key={one.id} value={one.id}>
              {one.displayName}
              {isDeprecated(one) && ' (deprecated)'}
              {one.unreadable === true && ' (its key must be entered again)'}
            </option>
          ))}
          <option value={fields.clientLlm}>None: my own program answers</option>
          {llm === undefined && !isOfClient && (
            <option value={draft.llmId ?? ''}>
              {draft.llmId === null ? 'The first one of this service' : 'An LLM that was deleted'}
            </option>
          )}
        </SelectField>
        <ChangeButton class="button" onClick={() => setMaking(true)}>
          <Icon name="plus" />
          New<span class="visually-hidden"> LLM</span>
        </ChangeButton>
      </div>
      {isMaking && (
        <Dialog title="New LLM" onClose={close}>
          <LlmForm
            llm={null}
            cancel={close}
            onCreated={offer}
            onSaved={(made) => {
              offer(made);
              set({ llmId: made.id });
              close();
            }}
          />
        </Dialog>
      )}
    </>
  );
}

function hintOf(llm: Llm | undefined): string {
  if (llm !== undefined && isDeprecated(llm))
    return 'This LLM is deprecated. It still works for this persona; choose another one before it is removed.';
  return llm?.description ?? 'The language model that thinks for this persona.';
}
