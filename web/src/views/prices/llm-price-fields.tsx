import { TextField } from '../../components/fields.tsx';
import type { LlmPriceDraft } from './price-draft.ts';

const FIELDS = [
  ['input', 'Input', undefined],
  ['output', 'Output', undefined],
  ['cachedInput', 'Input from its cache', 'Left empty: as input.'],
  ['cacheWrite', 'Input into its cache', 'Left empty: as input.'],
] as const;

/** What a million tokens of an LLM cost. @param props.path of the prices in what is sent. */
export function LlmPriceFields(props: {
  prices: LlmPriceDraft;
  path: string;
  onChange: (prices: LlmPriceDraft) => void;
}) {
  const { prices, path, onChange } = props;
  return (
    <div class="pair">
      {FIELDS.map(([field, label, hint]) => (
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
