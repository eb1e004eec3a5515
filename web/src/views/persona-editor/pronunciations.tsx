import fields from '../../api/persona-fields.json';
import { Icon } from '../../components/icon.tsx';
import { TextField } from '../../components/fields.tsx';
import { GroupField } from '../../components/group-field.tsx';
import { ChangeButton } from '../../components/permission.tsx';
import type { VoiceOptions } from './persona-draft.ts';

const rules = fields.pronunciations;
type Pronunciation = NonNullable<VoiceOptions['pronunciations']>[number];

/** How names and words are said, one a row. */
export function Pronunciations({
  value,
  onChange,
}: {
  value: readonly Pronunciation[];
  onChange: (value: Pronunciation[]) => void;
}) {
  const path = 'voiceGenerationOptions.pronunciations';
  const change = (index: number, part: Partial<Pronunciation>): void =>
    onChange(value.map((one, at) => (at === index ? { ...one, ...part } : one)));
  return (
    // Each row shows what is wrong with it; without rows, the whole does.
    <GroupField
      label="Pronunciations"
      path={value.length === 0 ? path : undefined}
      hint="Captions and transcripts keep the word as it is written."
    >
      {value.map((one, index) => (
        <div key={index} class="pronunciation">
          <TextField
            label="Word or name"
            path={`${path}.${index}.word`}
            maxLength={rules.word.maxLength}
            placeholder="Siobhan"
            value={one.word}
            onInput={(word) => change(index, { word })}
          />
          <TextField
            label="Said like"
            path={`${path}.${index}.say`}
            maxLength={rules.say.maxLength}
            placeholder="Shivawn"
            value={one.say}
            onInput={(say) => change(index, { say })}
          />
          <ChangeButton
            class="button quiet icon-only"
            aria-label={`Remove the pronunciation of ${one.word || 'this word'}`}
            onClick={() => onChange(value.filter((_, at) => at !== index))}
          >
            <Icon name="trash" />
          </ChangeButton>
        </div>
      ))}
      <div>
        <ChangeButton
          class="button"
          disabled={value.length >= rules.maxItems}
          onClick={() => onChange([...value, { word: '', say: '' }])}
        >
          <Icon name="plus" />
          Add a word
        </ChangeButton>
      </div>
    </GroupField>
  );
}
