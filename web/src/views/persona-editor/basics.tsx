import fields from '../../api/persona-fields.json';
import { SelectField, TextField } from '../../components/fields.tsx';
import { AvatarChoice } from './avatar-choice.tsx';
import { AvatarModel } from './avatar-model.tsx';
import { Greeting } from './greeting.tsx';
import { LANGUAGES } from './languages.ts';
import { LlmChoice } from './llm-choice.tsx';
import { avatarChange } from './persona-draft.ts';
import type { SectionProps } from './section.ts';
import { TemplateChoice } from './template-choice.tsx';
import { VoiceChoice } from './voice-choice.tsx';
import { Options } from '../../components/options.tsx';

/** Who the persona is: what everybody sets. */
export function Basics({ draft, set, choices, setChoices, persona }: SectionProps) {
  return (
    <>
      {persona === null && <TemplateChoice draft={draft} set={set} choices={choices} />}
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
      <VoiceChoice draft={draft} set={set} choices={choices} setChoices={setChoices} />
      <LlmChoice draft={draft} set={set} choices={choices} setChoices={setChoices} />
      <SelectField
        label="Language"
        path="languageCode"
        value={draft.languageCode}
        hint="What the persona listens for and speaks."
        onChange={(languageCode) => set({ languageCode })}
      >
        <option value="inherit">Whatever is spoken</option>
        <Options of={LANGUAGES.map(({ code, name }) => [code, name])} />
      </SelectField>
      <Character draft={draft} set={set} />
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

/** In words. */
function Character({ draft, set }: Pick<SectionProps, 'draft' | 'set'>) {
  return (
    <>
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
    </>
  );
}
