import type { VoiceOptions } from '../../../../control/api/voices/voice-schema.ts';
import { SelectField, TextField } from '../../components/fields.tsx';
import type { VoiceFilter } from './voice-api.ts';
import { GENDERS, languageName, serviceName } from './voice-wording.ts';
import { Options } from '../../components/options.tsx';

/** What narrows the list. */
export function VoiceFilters(props: {
  filter: VoiceFilter;
  options: Pick<VoiceOptions, 'languages' | 'providers'>;
  onChange: (filter: VoiceFilter) => void;
}) {
  const { filter, options } = props;
  const set = (part: Partial<VoiceFilter>): void => props.onChange({ ...filter, ...part });
  const languages = options.languages
    .map((code) => ({ code, name: languageName(code) }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <search class="voice-filters">
      <TextField
        label="Search"
        placeholder="Name of a voice"
        maxLength={100}
        value={filter.search}
        onInput={(text) => set({ search: text })}
      />
      <SelectField label="Language" value={filter.language} onChange={(language) => set({ language })}>
        <option value="">Any</option>
        <Options of={languages.map(({ code, name }) => [code, name])} />
      </SelectField>
      <SelectField label="Gender" value={filter.gender} onChange={(gender) => set({ gender })}>
        <option value="">Any</option>
        <Options of={GENDERS} />
      </SelectField>
      <SelectField label="From" value={filter.provider} onChange={(provider) => set({ provider })}>
        <option value="">Any</option>
        <Options of={options.providers.map((provider) => [provider, serviceName(provider)])} />
      </SelectField>
    </search>
  );
}
