import fields from '../../api/persona-fields.json';
import { SelectField, TextField } from '../../components/fields.tsx';
import { Notice } from '../../components/notice.tsx';
import { OptionSlider } from '../../components/option-slider.tsx';
import { acts } from './avatar-model.tsx';
import { orNull, type PersonaDraft } from './persona-draft.ts';
import type { SectionProps } from './section.ts';
import { everyStep, percent } from './stops.ts';
import { Options } from '../../components/options.tsx';

const rules = fields.directorNotes;
const OWN_WORDS = 'own words';
type Notes = NonNullable<PersonaDraft['directorNotes']>;

/** How the persona acts while it speaks and listens. */
export function DirectorNotes({ draft, set, choices }: Pick<SectionProps, 'draft' | 'set' | 'choices'>) {
  const notes = draft.directorNotes ?? {};
  const change = (part: Notes): void => set({ directorNotes: orNull({ ...notes, ...part }) });
  const style = notes.customStylePrompt === undefined ? (notes.presetStyle ?? '') : OWN_WORDS;
  return (
    <div class="card padded stack">
      <div>
        <h3>Director’s notes</h3>
        <p class="muted small">How the persona comes across while it speaks and listens.</p>
      </div>
      {!acts(draft, choices.avatars) && (
        <Notice>
          <span>
            The face of this persona cannot act. Under Basics, choose an avatar model that acts by directions; until
            then these notes change nothing.
          </span>
        </Notice>
      )}
      <SelectField
        label="Style"
        path="directorNotes.presetStyle"
        value={style}
        onChange={(next) =>
          change({
            presetStyle: next === '' || next === OWN_WORDS ? undefined : (next as Notes['presetStyle']),
            customStylePrompt: next === OWN_WORDS ? '' : undefined,
          })
        }
      >
        <option value="">As the persona is</option>
        <Options
          of={rules.presetStyle.choices.map((choice) => [choice, choice.charAt(0).toUpperCase() + choice.slice(1)])}
        />
        <option value={OWN_WORDS}>In my own words…</option>
      </SelectField>
      {style === OWN_WORDS && (
        <TextField
          label="Style in your own words"
          path="directorNotes.customStylePrompt"
          lines={2}
          maxLength={rules.customStylePrompt.maxLength}
          value={notes.customStylePrompt ?? ''}
          placeholder="Like a radio host late at night."
          hint="The LLM chooses words and expressions by it."
          onInput={(customStylePrompt) => change({ customStylePrompt })}
        />
      )}
      <OptionSlider
        label="Expressivity"
        path="directorNotes.expressivity"
        value={notes.expressivity}
        usual={undefined}
        stops={everyStep(rules.expressivity, 0.05)}
        ends={['Reserved', 'Lively']}
        show={percent}
        onChange={(expressivity) => change({ expressivity })}
      />
    </div>
  );
}
