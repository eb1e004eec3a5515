import fields from '../../api/persona-fields.json';
import { OptionSlider } from '../../components/option-slider.tsx';
import { orNull } from './persona-draft.ts';
import type { SectionProps } from './section.ts';
import { everyStep, percent, timeText, times } from './stops.ts';

const rules = fields.voiceDetection;
const never = (seconds: number): string => (seconds === 0 ? 'never' : timeText(seconds));

const SLIDERS = [
  {
    key: 'endOfSpeechSensitivity',
    label: 'Quickness to answer',
    hint: 'How long a pause must be until your turn is over.',
    ends: ['Waits until you have surely finished', 'Answers at once'],
    stops: everyStep(rules.endOfSpeechSensitivity, 0.05),
    show: percent,
  },
  {
    key: 'silenceBeforeAutoEndTurnSeconds',
    label: 'Longest pause in mid-sentence',
    hint: 'After such a pause within a sentence, the persona answers anyway.',
    ends: ['Answers half sentences', 'Leaves time to think'],
    stops: everyStep(rules.silenceBeforeAutoEndTurnSeconds, 0.5),
    show: timeText,
  },
  {
    key: 'silenceBeforeSkipTurnSeconds',
    label: 'Speaks up after',
    hint: 'Silence after which the persona asks whether you are still there.',
    ends: ['Never', 'Very late'],
    stops: times(rules.silenceBeforeSkipTurnSeconds),
    show: never,
  },
  {
    key: 'silenceBeforeSessionEndSeconds',
    label: 'Ends after',
    hint: 'Silence after which the conversation ends by itself.',
    ends: ['Never', 'Very late'],
    stops: times(rules.silenceBeforeSessionEndSeconds),
    show: never,
  },
  {
    key: 'speechEnhancementLevel',
    label: 'Noise filter',
    hint: 'How strongly noise is taken out of what the persona hears.',
    ends: ['Off: hears the whole room', 'Strong: hears only voices'],
    stops: everyStep(rules.speechEnhancementLevel, 0.05),
    show: percent,
  },
] as const;

/** Who speaks when. */
export function TurnTaking({ draft, set }: Pick<SectionProps, 'draft' | 'set'>) {
  const value = draft.voiceDetectionOptions ?? {};
  return (
    <div class="card padded stack">
      <div>
        <h3>Turn-taking</h3>
        <p class="muted small">When the persona answers, waits, and asks again.</p>
      </div>
      {SLIDERS.map(({ key, ...slider }) => (
        <OptionSlider
          key={key}
          {...slider}
          path={`voiceDetectionOptions.${key}`}
          value={value[key]}
          usual={rules[key].default}
          onChange={(next) => set({ voiceDetectionOptions: orNull({ ...value, [key]: next }) })}
        />
      ))}
    </div>
  );
}
