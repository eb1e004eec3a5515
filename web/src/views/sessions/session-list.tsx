import { useState } from 'preact/hooks';
import { listSessions } from '../../api/routes.ts';
import type { SessionSummary } from '../../api/types.ts';
import { Icon } from '../../components/icon.tsx';
import { LoadFailed } from '../../components/notice.tsx';
import { Pager } from '../../components/pager.tsx';
import { useLoaded } from '../../state/load.ts';
import { LiveNow } from './live-now.tsx';
import { duration, endingOf, moment } from './wording.ts';

export function SessionList() {
  const [page, setPage] = useState(1);
  const sessions = useLoaded(`sessions ${page}`, () => listSessions(page));
  return (
    <main class="page">
      <header class="page-head">
        <div>
          <h1>Sessions</h1>
          <p>Every conversation with its transcript and the timing of each answer.</p>
        </div>
        <button class="button" type="button" onClick={sessions.again}>
          Refresh
        </button>
      </header>
      <LiveNow onEnded={sessions.again} />
      {sessions.state === 'failed' && (
        <LoadFailed message={sessions.message} error={sessions.error} again={sessions.again} />
      )}
      {sessions.state === 'loading' && <div class="skeleton" style={{ height: '24rem' }} aria-busy="true" />}
      {sessions.state === 'ready' &&
        (sessions.value.data.length === 0 ? (
          <NoSessions />
        ) : (
          <>
            <ul class="card sessions">
              {sessions.value.data.map((session) => (
                <li key={session.id}>
                  <Row session={session} />
                </li>
              ))}
            </ul>
            <Pager page={page} lastPage={sessions.value.meta.lastPage} onPage={setPage} />
          </>
        ))}
    </main>
  );
}

function Row({ session }: { session: SessionSummary }) {
  const ending = endingOf(session);
  return (
    <a href={`#/sessions/${session.id}`}>
      <strong>{session.personaConfig?.name ?? 'Persona'}</strong>
      <span class="muted">{moment(session.startTime)}</span>
      <span class="number muted">{duration(session.sessionLengthMs)}</span>
      <span class={`badge ${ending.tone}`}>{ending.text}</span>
    </a>
  );
}

function NoSessions() {
  return (
    <div class="card empty">
      <Icon name="list" />
      <p>There are no sessions yet. They appear here as soon as somebody has talked with a persona.</p>
      <a class="button primary" href="#/">
        Start a conversation
      </a>
    </div>
  );
}
