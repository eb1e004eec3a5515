import fields from '../../api/persona-fields.json';
import type { Llm } from '../../api/types.ts';
import { SelectField, TextField } from '../../components/fields.tsx';
import { SampleButton } from '../../components/sample-button.tsx';
import { AvatarChoice } from './avatar-choice.tsx';
import { AvatarModel } from './avatar-model.tsx';
import { Greeting } from './greeting.tsx';
import { LANGUAGES } from './languages.ts';
import { avatarChange, isDeprecated, llmsFor, voiceChange } from './persona-draft.ts';
import type { SectionProps } from './section.ts';

/** Who the persona is: what everybody sets. */
export function Basics({ draft, set, choices, setChoices }: SectionProps) {
  return (
    <>
      <TextField
        label="Name"
        path="name"
        required
        maxLength={fields.limits.name.maxLength}
        value={draft.name}
        placeholder="Robin"
        onInput={(name) => set({ name })}
      />
      <AvatarChoice
        avatars={choices.avatars}
        value={draft.avatarId}
        onChange={(avatar) => set(avatarChange(draft, avatar))}
        onAvatars={(avatars) => setChoices({ ...choices, avatars })}
      />
      <AvatarModel draft={draft} set={set} avatars={choices.avatars} />
      <div class="pair">
        <VoiceChoice draft={draft} set={set} choices={choices} />
        <LlmChoice draft={draft} set={set} choices={choices} />
      </div>
      <SelectField
        label="Language"
        path="languageCode"
        value={draft.languageCode}
        hint="What the persona listens for and speaks."
        onChange={(languageCode) => set({ languageCode })}
      >
        <option value="inherit">Whatever is spoken</option>
        {LANGUAGES.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Who is it, and what should it do?"
        path="systemPrompt"
        lines={6}
        maxLength={fields.limits.systemPrompt.maxLength}
        value={draft.systemPrompt}
        hint="The system prompt. Facts that are written here can be asked for."
        onInput={(systemPrompt) => set({ systemPrompt })}
      />
      <TextField
        label="Personality"
        path="personality"
        lines={2}
        maxLength={fields.limits.personality.maxLength}
        value={draft.personality ?? ''}
        placeholder="Dry humor, never in a hurry."
        hint="How it comes across in words. It may be left empty."
        onInput={(personality) => set({ personality: personality === '' ? null : personality })}
      />
      <Greeting draft={draft} set={set} />
      <TextField
        label="Description"
        path="description"
        maxLength={fields.limits.description.maxLength}
        value={draft.description ?? ''}
        hint="Only shown on its card in the console."
        onInput={(description) => set({ description: description === '' ? null : description })}
      />
    </>
  );
}

type ChoiceProps = Pick<SectionProps, 'draft' | 'set' | 'choices'>;

function VoiceChoice({ draft, set, choices: { voices } }: ChoiceProps) {
  const voice = voices.find(({ id }) => id === draft.voiceId);
  return (
    <div class="with-sample">
      <SelectField
        label="Voice"
        path="voiceId"
        value={draft.voiceId ?? ''}
        hint={voice?.description ?? 'How the persona sounds.'}
        onChange={(id) => {
          const chosen = voices.find((one) => one.id === id);
          if (chosen !== undefined) set(voiceChange(draft, chosen));
        }}
      >
        {voices.map(({ id, displayName }) => (
          <option key={id} value={id}>
            {displayName}
          </option>
        ))}
        {voice === undefined && <option value={draft.voiceId ?? ''}>{UNSET}</option>}
      </SelectField>
      {voice !== undefined && <SampleButton voice={voice} />}
    </div>
  );
}

const UNSET = 'The first one of this service';

function LlmChoice({ draft, set, choices: { llms } }: ChoiceProps) {
  const llm = llms.find(({ id }) => id === draft.llmId);
  const isOfClient = draft.llmId === fields.clientLlm;
  return (
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
        <option value={draft.llmId ?? ''}>{draft.llmId === null ? UNSET : 'An LLM that was deleted'}</option>
      )}
    </SelectField>
  );
}

function hintOf(llm: Llm | undefined): string {
  if (llm !== undefined && isDeprecated(llm))
    return 'This LLM is deprecated. It still works for this persona; choose another one before it is removed.';
  return llm?.description ?? 'The language model that thinks for this persona.';
}
