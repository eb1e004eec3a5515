import type { ComponentChildren } from 'preact';
import type { Voice } from '../../api/types.ts';
import { Icon } from '../../components/icon.tsx';
import { LoadFailed } from '../../components/notice.tsx';
import type { VoiceResults } from './use-voices.ts';
import { countText } from './voice-wording.ts';

/** The voices that were found, page by page. @param props.clear takes the filters away. */
export function VoiceList(props: {
  results: VoiceResults;
  row: (voice: Voice) => ComponentChildren;
  clear: () => void;
}) {
  const { results } = props;
  return (
    <>
      <p class="muted small" role="status">
        {results.state === 'first' ? 'Loading…' : countText(results.total)}
      </p>
      {results.state === 'failed' && <LoadFailed message={results.message} again={results.again} />}
      {results.state === 'first' && <div class="skeleton" style={{ height: '18rem' }} aria-busy="true" />}
      {results.voices.length === 0 && results.state === 'ready' && (
        <div class="card empty">
          <Icon name="voice" />
          <p>No voice fits. Try another language, or clear the filters.</p>
          <button class="button" type="button" onClick={props.clear}>
            Clear the filters
          </button>
        </div>
      )}
      {results.voices.length > 0 && (
        <ul class="card rows voices" aria-label="Voices" aria-busy={results.state === 'searching'}>
          {results.voices.map(props.row)}
        </ul>
      )}
      {results.voices.length < results.total && results.state !== 'first' && (
        <button class="button more" type="button" disabled={results.state === 'searching'} onClick={results.more}>
          Show more
        </button>
      )}
    </>
  );
}
