import { useState } from 'preact/hooks';
import type { VoiceOptions } from '../../../../control/api/voices/voice-schema.ts';
import type { Voice } from '../../api/types.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Shown } from '../../components/page.tsx';
import { SampleButton } from '../../components/sample-button.tsx';
import { useLoaded } from '../../state/load.ts';
import { useVoices } from '../voices/use-voices.ts';
import { ALL_VOICES, getVoiceOptions, type VoiceFilter } from '../voices/voice-api.ts';
import { VoiceFilters } from '../voices/voice-filters.tsx';
import { VoiceList } from '../voices/voice-list.tsx';
import { VoiceTraits } from '../voices/voice-traits.tsx';

interface Choice {
  /** Id of the voice that the persona has. */
  readonly chosen: string | null;
  /** Language of the persona: its voices are shown first. */
  readonly language: string;
  readonly choose: (voice: Voice) => void;
}

/** All voices, to be searched, heard and chosen. */
export function VoiceDialog({ close, ...choice }: Choice & { close: () => void }) {
  const options = useLoaded('voice options', getVoiceOptions);
  return (
    <Dialog title="Choose a voice" onClose={close}>
      <Shown loaded={options}>{(known) => <Finder {...choice} options={known} />}</Shown>
    </Dialog>
  );
}

function Finder({ chosen, language, choose, options }: Choice & { options: VoiceOptions }) {
  const [filter, setFilter] = useState<VoiceFilter>({
    ...ALL_VOICES,
    language: options.languages.includes(language) ? language : '',
  });
  const results = useVoices(filter);
  return (
    <div class="stack">
      <VoiceFilters filter={filter} options={options} onChange={setFilter} />
      <VoiceList
        results={results}
        clear={() => setFilter(ALL_VOICES)}
        row={(voice) => (
          <li key={voice.id} class="row-line">
            <SampleButton voice={voice} />
            <VoiceTraits voice={voice} />
            <button class="button" type="button" aria-pressed={voice.id === chosen} onClick={() => choose(voice)}>
              {voice.id === chosen ? 'Chosen' : 'Choose'}
              <span class="visually-hidden"> {voice.displayName}</span>
            </button>
          </li>
        )}
      />
    </div>
  );
}
