import { useState } from 'preact/hooks';
import type { VoiceOptions } from '../../../../control/api/voices/voice-schema.ts';
import type { Voice } from '../../api/types.ts';
import { SelectField, TextField } from '../../components/fields.tsx';
import { Icon } from '../../components/icon.tsx';
import { useBlocked } from '../../components/permission.tsx';
import { PageHead, Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { CloneDialog } from './clone-dialog.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { useVoices } from './use-voices.ts';
import { ALL_VOICES, getVoiceOptions, type VoiceFilter } from './voice-api.ts';
import { VoiceFilters } from './voice-filters.tsx';
import { VoiceList } from './voice-list.tsx';
import { VoiceRow } from './voice-row.tsx';
import { languageName } from './voice-wording.ts';
import { Options } from '../../components/options.tsx';

interface Said {
  readonly text: string;
  /** '': that of the voice. */
  readonly language: string;
}

/** All voices: heard, compared with a text of one's own, copied. */
export function Voices() {
  const options = useLoaded('voice options', getVoiceOptions);
  const [filter, setFilter] = useState<VoiceFilter>(ALL_VOICES);
  const results = useVoices(filter);
  const [said, setSaid] = useState<Said>({ text: '', language: '' });
  const [dialog, setDialog] = useState<'clone' | Voice | null>(null);
  const isOnlySeen = useBlocked() !== null;
  const changed = (): void => {
    results.again();
    options.again();
  };
  const cloning = options.state === 'ready' ? options.value.cloning : null;
  return (
    <main class="page">
      <PageHead
        title="Voices"
        text="What personas speak with: the voices of this machine, of your speech services, and copies of your own."
      >
        {cloning?.available === true && !isOnlySeen && (
          <button class="button primary" type="button" onClick={() => setDialog('clone')}>
            <Icon name="plus" />
            Clone a voice
          </button>
        )}
      </PageHead>
      <Shown loaded={options}>
        {(known) => (
          <div class="stack">
            {known.cloning.reason !== null && <p class="muted small">{known.cloning.reason}</p>}
            <VoiceFilters filter={filter} options={known} onChange={setFilter} />
            <SayText said={said} options={known} onChange={setSaid} />
            <VoiceList
              results={results}
              clear={() => setFilter(ALL_VOICES)}
              row={(voice) => (
                <VoiceRow
                  key={voice.id}
                  voice={voice}
                  said={said}
                  onRename={() => setDialog(voice)}
                  onDeleted={changed}
                />
              )}
            />
          </div>
        )}
      </Shown>
      {dialog === 'clone' && cloning !== null && (
        <CloneDialog cloning={cloning} close={() => setDialog(null)} cloned={changed} />
      )}
      {dialog !== null && dialog !== 'clone' && (
        <RenameDialog voice={dialog} close={() => setDialog(null)} renamed={results.again} />
      )}
    </main>
  );
}

/** A text that all voices can be heard with. */
function SayText(props: { said: Said; options: VoiceOptions; onChange: (said: Said) => void }) {
  const { said, options, onChange } = props;
  return (
    <div class="say-text">
      <TextField
        label="Hear your own text"
        placeholder="A sentence to compare them"
        maxLength={options.longestPreview}
        value={said.text}
        onInput={(text) => onChange({ ...said, text })}
      />
      <SelectField label="Spoken in" value={said.language} onChange={(language) => onChange({ ...said, language })}>
        <option value="">Its own language</option>
        <Options of={options.languages.map((code) => [code, languageName(code)])} />
      </SelectField>
    </div>
  );
}
