import type { Voice } from '../../api/types.ts';
import { SelectField, TextField } from '../../components/fields.tsx';
import { OptionSlider } from '../../components/option-slider.tsx';
import { orNull, type OptionRule, type PersonaDraft, type VoiceOptions, voiceRules } from './persona-draft.ts';
import type { SectionProps } from './section.ts';
import { everyStep, percent } from './stops.ts';

const times = (factor: number): string => `${factor} ×`;

/** What the numbers mean. Their ranges are those of the voice. */
const SLIDERS = {
  speed: { label: 'Speed', ends: ['Slower', 'Faster'], show: times },
  volume: { label: 'Loudness', ends: ['Quieter', 'Louder'], show: times },
  stability: { label: 'Stability', ends: ['Lively, and less even', 'Even, and less lively'], show: percent },
  similarityBoost: { label: 'Similarity', ends: ['Freer', 'Closer to the original voice'], show: percent },
  style: { label: 'Style', ends: ['Plain', 'Exaggerated'], show: percent },
} as const;
type Slider = keyof typeof SLIDERS;

/** Steps that can be heard. */
const STEP = 0.05;

/** The options of the voice that the persona has: each service has its own. */
export function VoiceOptionFields({
  draft,
  set,
  voice,
}: Pick<SectionProps, 'draft' | 'set'> & { voice: Voice | undefined }) {
  const options = draft.voiceGenerationOptions ?? {};
  const rules = voiceRules(voice?.provider ?? '');
  const change = (part: VoiceOptions): void => set({ voiceGenerationOptions: orNull({ ...options, ...part }) });
  return (
    <>
      {Object.entries(rules).map(([name, rule]) => {
        const path = `voiceGenerationOptions.${name}`;
        if (isSlider(name))
          return (
            <OptionSlider
              key={name}
              {...SLIDERS[name]}
              path={path}
              value={name === 'speed' ? speedOf(draft) : options[name]}
              usual={rule.default}
              stops={everyStep({ minimum: rule.minimum ?? 0, maximum: rule.maximum ?? 1 }, STEP)}
              onChange={(value) => (name === 'speed' ? set(speedChange(draft, value)) : change({ [name]: value }))}
            />
          );
        return <OtherOption key={name} name={name} rule={rule} path={path} options={options} change={change} />;
      })}
    </>
  );
}

function OtherOption({
  name,
  rule,
  path,
  options,
  change,
}: {
  name: string;
  rule: OptionRule;
  path: string;
  options: VoiceOptions;
  change: (part: VoiceOptions) => void;
}) {
  switch (name) {
    case 'emotion':
      return (
        <SelectField
          label="Emotion"
          path={path}
          value={options.emotion ?? ''}
          onChange={(emotion) => change({ emotion: emotion === '' ? undefined : (emotion as VoiceOptions['emotion']) })}
        >
          <option value="">As the voice does</option>
          {rule.choices?.map((choice) => (
            <option key={choice} value={choice}>
              {choice.charAt(0).toUpperCase() + choice.slice(1)}
            </option>
          ))}
        </SelectField>
      );
    case 'useSpeakerBoost':
      return (
        <SelectField
          label="Speaker boost"
          path={path}
          hint="Closer to the original voice, and a little slower."
          value={String(options.useSpeakerBoost ?? '')}
          onChange={(boost) => change({ useSpeakerBoost: boost === '' ? undefined : boost === 'true' })}
        >
          <option value="">As the voice does</option>
          <option value="true">On</option>
          <option value="false">Off</option>
        </SelectField>
      );
    case 'model':
      return (
        <TextField
          label="Model of the speech service"
          path={path}
          {...(rule.maxLength !== undefined && { maxLength: rule.maxLength })}
          hint="Left empty: the one that this service is set to."
          value={options.model ?? ''}
          onInput={(model) => change({ model: model === '' ? undefined : model })}
        />
      );
    default:
      return null;
  }
}

const isSlider = (name: string): name is Slider => name in SLIDERS;

/** A persona that was made by the API may have its speed in an older field. */
function speedOf({ voiceGenerationOptions, voiceSpeed }: PersonaDraft): number | undefined {
  return voiceGenerationOptions?.speed ?? voiceSpeed ?? undefined;
}

function speedChange({ voiceGenerationOptions, voiceSpeed }: PersonaDraft, speed: number | undefined) {
  return {
    voiceGenerationOptions: orNull({ ...voiceGenerationOptions, speed }),
    voiceSpeed: speed === undefined ? null : voiceSpeed,
  };
}
