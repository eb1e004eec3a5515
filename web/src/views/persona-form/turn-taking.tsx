import type { VoiceDetection } from '../../api/types.ts';
import { SliderField } from '../../components/fields.tsx';

/** The service's own defaults, shown until something is changed. */
const DEFAULTS = {
  endOfSpeechSensitivity: 0.5,
  silenceBeforeAutoEndTurnSeconds: 5,
  silenceBeforeSkipTurnSeconds: 5,
  silenceBeforeSessionEndSeconds: 60,
  speechEnhancementLevel: 0.8,
} as const satisfies Required<VoiceDetection>;

const seconds = (value: number): string => `${value} s`;
const never = (value: number): string => (value === 0 ? 'never' : seconds(value));
const percent = (value: number): string => `${Math.round(value * 100)} %`;

const SLIDERS = [
  {
    key: 'endOfSpeechSensitivity',
    label: 'Quickness to answer',
    hint: 'Low waits until you have surely finished, high answers sooner.',
    min: 0,
    max: 1,
    step: 0.05,
    show: percent,
  },
  {
    key: 'silenceBeforeAutoEndTurnSeconds',
    label: 'Longest pause in mid-sentence',
    hint: 'How long a pause within a sentence may last before the persona answers anyway.',
    min: 0.5,
    max: 10,
    step: 0.5,
    show: seconds,
  },
  {
    key: 'silenceBeforeSkipTurnSeconds',
    label: 'Speaks up after',
    hint: 'Silence after which the persona asks whether you are still there.',
    min: 0,
    max: 120,
    step: 1,
    show: never,
  },
  {
    key: 'silenceBeforeSessionEndSeconds',
    label: 'Ends after',
    hint: 'Silence after which the conversation ends by itself.',
    min: 0,
    max: 600,
    step: 10,
    show: never,
  },
  {
    key: 'speechEnhancementLevel',
    label: 'Noise filter',
    hint: 'How strongly noise is removed from your voice before it is understood.',
    min: 0,
    max: 1,
    step: 0.05,
    show: percent,
  },
] as const;

export function TurnTaking({ value, onChange }: { value: VoiceDetection; onChange: (value: VoiceDetection) => void }) {
  return (
    <details class="card">
      <summary>Turn-taking</summary>
      <div>
        {SLIDERS.map(({ key, ...slider }) => (
          <SliderField
            key={key}
            {...slider}
            value={value[key] ?? DEFAULTS[key]}
            onInput={(next) => onChange({ ...value, [key]: next })}
          />
        ))}
      </div>
    </details>
  );
}
