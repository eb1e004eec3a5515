import { useState } from 'preact/hooks';
import { listLlms } from '../../api/routes.ts';
import { Notice } from '../../components/notice.tsx';
import { apiKey, setApiKey } from '../../state/key.ts';
import { useLoaded } from '../../state/load.ts';
import { leave } from '../../state/me.ts';

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
          <button class="button quiet" type="button" onClick={() => void leave()}>
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

function masked(key: string): string {
  return `••••${key.slice(-4)}`;
}
