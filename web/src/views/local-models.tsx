import { useState } from 'preact/hooks';
import { sentenceOf } from '../api/problem.ts';
import type { LocalModelResponse } from '../../../control/api/operator/local-model-schema.ts';
import { Notice } from '../components/notice.tsx';
import { useLocalModels, type LocalModelsView } from '../state/local-models.ts';
import { Options } from '../components/options.tsx';

const KINDS: Readonly<Record<LocalModelResponse['kind'], string>> = {
  recognizer: 'Recognition while somebody speaks',
  'final-pass': 'Recognition of the whole utterance',
  voice: 'Voice',
  noise: 'Noise filter',
  'end-of-turn': 'End of turn',
  embeddings: 'Knowledge by meaning',
};
const names = new Intl.DisplayNames(['en'], { type: 'language' });
const megabytes = (bytes: number): string => `${Math.max(1, Math.round(bytes / 1e6))} MB`;

/** Neural models for the service's machine. Only the operator's key sees it. */
export function LocalModels() {
  const models = useLocalModels();
  return models === null || models.list.data.length === 0 ? null : <Card models={models} />;
}

function Card({ models }: { models: LocalModelsView }) {
  const { data, restart } = models.list;
  const languages = [...new Set(data.flatMap((model) => (model.suggested ? model.languages : [])))];
  const [language, setLanguage] = useState(languages.includes('en') ? 'en' : (languages[0] ?? ''));
  const [problem, setProblem] = useState<string | null>(null);
  const offered = data.filter((model) => model.languages.length === 0 || model.languages.includes(language));
  const wanted = offered.filter((model) => model.suggested && isMissing(model));
  const start = (ids: readonly string[]): void => {
    setProblem(null);
    models.fetch(ids).catch((error: unknown) => setProblem(sentenceOf(error)));
  };
  return (
    <section class="card padded stack" aria-label="Better models">
      <div>
        <h2>Better models</h2>
        <p class="muted small">
          Neural recognition and voices that run on this machine. They come from their publishers, under the licenses
          below; nothing that is said leaves the machine.
        </p>
      </div>
      <div class="row">
        <label class="row">
          <span class="small muted">Language</span>
          <select class="input" value={language} onChange={(event) => setLanguage(event.currentTarget.value)}>
            <Options of={languages.map((code) => [code, names.of(code) ?? code])} />
          </select>
        </label>
        {wanted.length > 0 && (
          <button class="button primary" type="button" onClick={() => start(wanted.map(({ id }) => id))}>
            Download better models ({megabytes(wanted.reduce((sum, { bytes }) => sum + bytes, 0))})
          </button>
        )}
      </div>
      {problem !== null && (
        <Notice tone="bad">
          <span>{problem}</span>
        </Notice>
      )}
      {models.connection === 'restarting' && <Notice>The service is starting again with the new models …</Notice>}
      {models.connection === 'up' && restart === 'when idle' && (
        <Notice>The new models are here. The service starts again with them as soon as nobody is talking.</Notice>
      )}
      <ul class="stack" style={{ gap: '0.75rem', listStyle: 'none', padding: 0, margin: 0 }}>
        {offered.map((model) => (
          <li key={model.id}>
            <Model model={model} fetch={() => start([model.id])} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Model({ model, fetch }: { model: LocalModelResponse; fetch: () => void }) {
  const { title, kind, bytes, license, notice, home, received, problem } = model;
  return (
    <div class="row" style={{ justifyContent: 'space-between' }}>
      <div style={{ flex: 1, minWidth: '14rem' }}>
        <div>
          <a href={home} target="_blank" rel="noreferrer">
            {title}
          </a>
        </div>
        <div class="small muted">
          {KINDS[kind]} · {megabytes(bytes)} · {license}
          {notice !== null && ` · ${notice}`}
        </div>
        {problem !== null && <div class="small">{problem}</div>}
        {model.state === 'fetching' && (
          <progress max={bytes} value={received ?? 0} aria-label={`Downloading ${title}`} style={{ width: '100%' }} />
        )}
      </div>
      {isMissing(model) ? (
        <button class="button" type="button" onClick={fetch} aria-label={`Download ${title}`}>
          {model.state === 'absent' ? 'Download' : 'Try again'}
        </button>
      ) : (
        <span class={model.state === 'used' ? 'badge good' : 'badge'}>{stateText(model)}</span>
      )}
    </div>
  );
}

function isMissing({ state }: LocalModelResponse): boolean {
  return state === 'absent' || state === 'failed' || state === 'damaged';
}

function stateText({ state, received, bytes }: LocalModelResponse): string {
  switch (state) {
    case 'waiting':
      return 'Waiting';
    case 'fetching':
      return `${Math.floor((100 * (received ?? 0)) / bytes)} %`;
    case 'unpacking':
      return 'Unpacking';
    case 'here':
      return 'Here, used soon';
    case 'used':
      return 'In use';
    default:
      return 'Not used';
  }
}
