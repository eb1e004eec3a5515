import { Persona, usePersona, useTranscript } from '@parley/react';
import { StrictMode, useState, type FormEvent } from 'react';

/** Your server asks the service for it, with your API key. */
async function sessionToken(): Promise<string> {
  const answer = (await (await fetch('/session-token')).json()) as { sessionToken: string };
  return answer.sessionToken;
}

/** The service is at another address than this page. */
const options = { api: { baseUrl: (window as { PARLEY_URL?: string }).PARLEY_URL }, resume: true };

export function App() {
  const [dark, setDark] = useState(false);
  const tools = {
    set_theme: ({ theme }: Readonly<Record<string, unknown>>) => {
      setDark(theme === 'dark');
      return `The page is ${String(theme)} now.`;
    },
  };
  return (
    <StrictMode>
      <main data-theme={dark ? 'dark' : 'light'} style={dark ? { background: '#111', color: '#eee' } : {}}>
        <Persona sessionToken={sessionToken} options={options} tools={tools} width={720} height={480}>
          <Controls />
          <Transcript />
        </Persona>
      </main>
    </StrictMode>
  );
}

function Controls() {
  const { phase, connection, floor, muted, error, start, stop, mute, client } = usePersona();
  const [text, setText] = useState('');
  const send = (event: FormEvent): void => {
    event.preventDefault();
    client?.sendUserMessage(text);
    setText('');
  };
  if (phase !== 'live')
    return (
      <p>
        <button disabled={phase === 'starting'} onClick={() => void start()}>
          Talk
        </button>
        {error !== null && <span role="alert">{error.message}</span>}
      </p>
    );
  return (
    <>
      <form onSubmit={send}>
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
        <button>Send</button>
      </form>
      <button onClick={() => mute(!muted)}>{muted ? 'Unmute' : 'Mute'}</button>
      <button onClick={stop}>End</button>
      <span role="status">{connection === 'ready' ? floor : connection}</span>
    </>
  );
}

function Transcript() {
  return (
    <ol>
      {useTranscript().map(({ id, role, content, interrupted }) => (
        <li key={id} data-role={role}>
          {content}
          {interrupted && ' …'}
        </li>
      ))}
    </ol>
  );
}
