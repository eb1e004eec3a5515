import { useState } from 'preact/hooks';
import { listLlms } from '../api/routes.ts';
import { ALL_VOICES, listVoicePage } from './voices/voice-api.ts';
import { countText } from './voices/voice-wording.ts';
import { Notice } from '../components/notice.tsx';
import { apiKey, setApiKey } from '../state/key.ts';
import { useLoaded } from '../state/load.ts';
import { theme, type Theme } from '../state/theme.ts';
import { ProviderLatenciesCard } from './provider-latencies.tsx';
import { TranscriptionCard } from './transcription.tsx';
import { LocalModels } from './local-models.tsx';

const THEMES: readonly (readonly [Theme, string])[] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

export function Settings() {
  return (
    <main class="page narrow">
      <header class="page-head">
        <h1>Settings</h1>
      </header>
      <div class="stack">
        <KeyCard />
        <Appearance />
        {apiKey.value !== null && <LlmCard />}
        {apiKey.value !== null && <TranscriptionCard />}
        {apiKey.value !== null && <ProviderLatenciesCard />}
        {apiKey.value !== null && <LocalModels />}
      </div>
    </main>
  );
}

/** Before what is loaded: nothing moves it. */
function Appearance() {
  return (
    <section class="card padded stack">
      <h2>Appearance</h2>
      <div class="segmented" role="radiogroup" aria-label="Appearance">
        {THEMES.map(([value, name]) => (
          <label key={value}>
            <input
              type="radio"
              name="theme"
              checked={theme.value === value}
              onChange={() => {
                theme.value = value;
              }}
            />
            <span>{name}</span>
          </label>
        ))}
      </div>
    </section>
  );
}

export function KeyCard() {
  const [typed, setTyped] = useState('');
  function onSubmit(event: Event): void {
    event.preventDefault();
    if (typed.trim() !== '') setApiKey(typed.trim());
    setTyped('');
  }
  return (
    <section class="card padded stack">
      <div>
        <h2>API key</h2>
        <p class="muted small">
          The start script prints one, and an address that brings it along. It is kept in this browser only.
        </p>
      </div>
      <form class="row" onSubmit={onSubmit}>
        <input
          class="input"
          style={{ flex: 1, minWidth: '12rem' }}
          type="password"
          autocomplete="off"
          aria-label="API key"
          placeholder={apiKey.value === null ? 'Paste the key' : `Stored: ${masked(apiKey.value)}`}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <button class="button primary" type="submit">
          Use this key
        </button>
        {apiKey.value !== null && (
          <button class="button quiet" type="button" onClick={() => setApiKey(null)}>
            Forget
          </button>
        )}
      </form>
      {apiKey.value !== null && <KeyCheck key={apiKey.value} />}
    </section>
  );
}

function KeyCheck() {
  const check = useLoaded(apiKey.value ?? '', listLlms);
  if (check.state === 'failed')
    return (
      <Notice tone="bad">
        <span>{check.message}</span>
      </Notice>
    );
  const isAccepted = check.state === 'ready';
  // The place is taken while it is checked: what is below would be moved under the pointer.
  return (
    <span class={isAccepted ? 'badge good live' : 'badge'} style={{ justifySelf: 'start' }}>
      {isAccepted ? 'The service accepts this key' : 'The key is checked…'}
    </span>
  );
}

/** The default LLM and voice, so that nobody believes that the offline ones are the best available. */
function LlmCard() {
  const llms = useLoaded('llms', listLlms);
  const voices = useLoaded('voices', () => listVoicePage(ALL_VOICES, 1));
  if (llms.state === 'failed' || voices.state === 'failed') return null;
  return (
    <section class="card padded stack">
      <div>
        <h2>LLMs and voices</h2>
        <p class="muted small">
          Without an account Parley uses simple parts that work offline. For a real model set PARLEY_LLM_BASE_URL,
          PARLEY_LLM_API_KEY and PARLEY_LLM_MODEL and restart; PARLEY_STT_… and PARLEY_TTS_… do the same for speech
          recognition and voices.
        </p>
      </div>
      <dl class="stack" style={{ gap: '0.5rem' }}>
        <div>
          <dt class="small muted">LLMs</dt>
          <dd>{llms.state === 'ready' ? llms.value.data.map(nameOf).join(', ') || 'none' : '…'}</dd>
        </div>
        <div>
          <dt class="small muted">Voices</dt>
          <dd>
            <a href="#/voices">{voices.state === 'ready' ? countText(voices.value.meta.total) : '…'}</a>
          </dd>
        </div>
      </dl>
    </section>
  );
}

const nameOf = ({ displayName }: { readonly displayName: string }): string => displayName;

function masked(key: string): string {
  return `••••${key.slice(-4)}`;
}
