import { TextField } from '../../components/fields.tsx';
import type { LlmPriceDraft } from './price-draft.ts';

const FIELDS = [
  ['input', 'Input', undefined],
  ['output', 'Output', undefined],
  ['cachedInput', 'Input from its cache', 'Left empty: as input.'],
  ['cacheWrite', 'Input into its cache', 'Left empty: as input.'],
] as const;
const AUDIO_FIELDS = [
  ['audioInput', 'Sound it hears', undefined],
  ['audioOutput', 'Sound it speaks', undefined],
  ['cachedAudioInput', 'Sound from its cache', 'Left empty: as sound it hears.'],
] as const;

/** What a million tokens of an LLM cost. @param props.path of the prices in what is sent. */
export function LlmPriceFields(props: {
  prices: LlmPriceDraft;
  path: string;
  /** It hears and speaks itself. @defaultValue false */
  speaks?: boolean;
  onChange: (prices: LlmPriceDraft) => void;
}) {
  const { prices, path, speaks = false, onChange } = props;
  return (
    <div class="pair">
      {[...FIELDS, ...(speaks ? AUDIO_FIELDS : [])].map(([field, label, hint]) => (
        <TextField
          key={field}
          label={label}
          path={`${path}.${field}`}
          type="number"
          hint={hint}
          value={prices[field]}
          onInput={(value) => onChange({ ...prices, [field]: value })}
        />
      ))}
    </div>
  );
}
