import { useState } from 'preact/hooks';
import type { Voice } from '../../api/types.ts';
import { SelectField, TextField } from '../../components/fields.tsx';
import { Icon } from '../../components/icon.tsx';
import { LoadFailed } from '../../components/notice.tsx';
import { PageHead, Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { CloneDialog } from './clone-dialog.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { useVoices } from './use-voices.ts';
import { ALL_VOICES, getVoiceOptions, type VoiceFilter } from './voice-api.ts';
import { VoiceFilters } from './voice-filters.tsx';
import { VoiceRow } from './voice-row.tsx';
import { countText, languageName } from './voice-wording.ts';

/** All voices: heard, compared with a text of one's own, copied. */
export function Voices() {
  const options = useLoaded('voice options', getVoiceOptions);
  const [filter, setFilter] = useState<VoiceFilter>(ALL_VOICES);
  const results = useVoices(filter);
  const [said, setSaid] = useState({ text: '', language: '' });
  const [dialog, setDialog] = useState<'clone' | Voice | null>(null);
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
        {cloning?.available === true && (
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
            <div class="say-text">
              <TextField
                label="Hear your own text"
                placeholder="A sentence to compare them"
                maxLength={known.longestPreview}
                value={said.text}
                onInput={(text) => setSaid({ ...said, text })}
              />
              <SelectField
                label="Spoken in"
                value={said.language}
                onChange={(language) => setSaid({ ...said, language })}
              >
                <option value="">Its own language</option>
                {known.languages.map((code) => (
                  <option key={code} value={code}>
                    {languageName(code)}
                  </option>
                ))}
              </SelectField>
            </div>
            <p class="muted small" role="status">
              {results.state === 'first' ? 'Loading…' : countText(results.total)}
            </p>
            {results.state === 'failed' && <LoadFailed message={results.message} again={results.again} />}
            {results.state === 'first' && <div class="skeleton" style={{ height: '18rem' }} aria-busy="true" />}
            {results.voices.length === 0 && results.state === 'ready' && (
              <div class="card empty">
                <Icon name="voice" />
                <p>No voice fits. Try another language, or clear the filters.</p>
                <button class="button" type="button" onClick={() => setFilter(ALL_VOICES)}>
                  Clear the filters
                </button>
              </div>
            )}
            {results.voices.length > 0 && (
              <ul class="card rows voices" aria-label="Voices" aria-busy={results.state === 'searching'}>
                {results.voices.map((voice) => (
                  <VoiceRow
                    key={voice.id}
                    voice={voice}
                    said={said}
                    onRename={() => setDialog(voice)}
                    onDeleted={changed}
                  />
                ))}
              </ul>
            )}
            {results.voices.length < results.total && results.state !== 'first' && (
              <button class="button more" type="button" disabled={results.state === 'searching'} onClick={results.more}>
                Show more
              </button>
            )}
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
