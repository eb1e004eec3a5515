import { listLlms } from '../api/routes.ts';
import { ALL_VOICES, listVoicePage } from './voices/voice-api.ts';
import { countText } from './voices/voice-wording.ts';
import { BlockedNotice, Permission } from '../components/permission.tsx';
import { apiKey, isSignIn } from '../state/key.ts';
import { may } from '../state/me.ts';
import { AccountCard } from './settings/account-card.tsx';
import { KeyCard } from './settings/key-card.tsx';
import { useLoaded } from '../state/load.ts';
import { theme, type Theme } from '../state/theme.ts';
import { PricesCard } from './prices/prices-card.tsx';
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
        {isSignIn(apiKey.value) ? <AccountCard /> : <KeyCard />}
        <Appearance />
        {apiKey.value !== null && <LlmCard />}
        {apiKey.value !== null && (
          <Permission scope="organization">
            <BlockedNotice />
            <TranscriptionCard />
            <PricesCard />
          </Permission>
        )}
        {apiKey.value !== null && may('operator', 'see') && <ProviderLatenciesCard />}
        {apiKey.value !== null && may('operator', 'see') && <LocalModels />}
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
