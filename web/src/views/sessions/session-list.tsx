import { useState } from 'preact/hooks';
import { requestBytes } from '../../api/client.ts';
import { deleteSessionContent, listSessions } from '../../api/routes.ts';
import type { SessionSummary } from '../../api/types.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { FailedWork, LoadFailed } from '../../components/notice.tsx';
import { Pager } from '../../components/pager.tsx';
import { useLoaded } from '../../state/load.ts';
import { useWork } from '../../state/work.ts';
import { LiveNow } from './live-now.tsx';
import { FilterBar } from './session-filters.tsx';
import { NO_FILTERS, queryOf, type SessionFilters } from './session-query.ts';
import { duration, endingOf, GRADES, moment, sourceText, versionText } from './wording.ts';

export function SessionList() {
  const [page, setPage] = useState(1);
  const [filters, setFilters] = useState<SessionFilters>(NO_FILTERS);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [asksToDelete, setAsksToDelete] = useState(false);
  const query = queryOf(filters);
  const sessions = useLoaded(`sessions ${page} ${query}`, () => listSessions(page, query));
  const toggle = (id: string, on: boolean): void =>
    setChosen(on ? [...chosen, id] : chosen.filter((other) => other !== id));
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
      <FilterBar
        filters={filters}
        onChange={(changed) => {
          setFilters(changed);
          setPage(1);
          setChosen([]);
        }}
      />
      <Actions query={query} chosen={chosen.length} onDelete={() => setAsksToDelete(true)} />
      {asksToDelete && (
        <DeleteContent
          ids={chosen}
          onClose={() => setAsksToDelete(false)}
          onDeleted={() => {
            setAsksToDelete(false);
            setChosen([]);
            sessions.again();
          }}
        />
      )}
      {sessions.state === 'failed' && (
        <LoadFailed message={sessions.message} error={sessions.error} again={sessions.again} />
      )}
      {sessions.state === 'loading' && <div class="skeleton" style={{ height: '24rem' }} aria-busy="true" />}
      {sessions.state === 'ready' &&
        (sessions.value.data.length === 0 ? (
          <Nothing isFiltered={query !== ''} />
        ) : (
          <>
            <Rows sessions={sessions.value.data} chosen={chosen} onToggle={toggle} />
            <Pager page={page} lastPage={sessions.value.meta.lastPage} onPage={setPage} />
          </>
        ))}
    </main>
  );
}

function Actions(props: { query: string; chosen: number; onDelete: () => void }) {
  const { work, run } = useWork();
  return (
    <>
      <div class="row session-actions">
        {(['csv', 'jsonl'] as const).map((format) => (
          <button
            key={format}
            class="button"
            type="button"
            onClick={() => void run(() => saveExport(format, props.query))}
            title={format === 'jsonl' ? 'With what was said' : 'For a spreadsheet'}
          >
            Export {format === 'csv' ? 'CSV' : 'JSONL'}
          </button>
        ))}
        {props.chosen > 0 && (
          <button class="button danger" type="button" onClick={props.onDelete}>
            Delete the content of {props.chosen}
          </button>
        )}
      </div>
      <FailedWork work={work} />
    </>
  );
}

function Rows(props: {
  sessions: readonly SessionSummary[];
  chosen: readonly string[];
  onToggle: (id: string, on: boolean) => void;
}) {
  return (
    <ul class="card sessions">
      {props.sessions.map((session) => (
        <li key={session.id} class="chosen-line">
          <input
            type="checkbox"
            aria-label={`Choose the session of ${moment(session.startTime)}`}
            disabled={session.endTime === null}
            checked={props.chosen.includes(session.id)}
            onChange={(event) => props.onToggle(session.id, event.currentTarget.checked)}
          />
          <Row session={session} />
        </li>
      ))}
    </ul>
  );
}

/** What is chosen keeps its facts: ids, times, counts. */
function DeleteContent(props: { ids: readonly string[]; onClose: () => void; onDeleted: () => void }) {
  const { work, run } = useWork();
  const many = props.ids.length === 1 ? 'this session' : `${props.ids.length} sessions`;
  return (
    <Dialog title={`Delete the content of ${many}?`} onClose={props.onClose}>
      <div class="stack">
        <p>Transcript, recording and log are deleted now. Times and counts stay. This cannot be undone.</p>
        <FailedWork work={work} />
        <div class="row">
          <button
            class="button danger"
            type="button"
            aria-disabled={work.state === 'running'}
            onClick={() =>
              void run(async () => {
                for (const id of props.ids) await deleteSessionContent(id);
                props.onDeleted();
              })
            }
          >
            Delete
          </button>
          <button class="button quiet" type="button" onClick={props.onClose}>
            Cancel
          </button>
        </div>
      </div>
    </Dialog>
  );
}

async function saveExport(format: 'csv' | 'jsonl', query: string): Promise<void> {
  const file = await requestBytes('GET', `/v1/sessions/export?format=${format}${query === '' ? '' : `&${query}`}`);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `sessions.${format}`;
  link.click();
  URL.revokeObjectURL(link.href);
}

function Row({ session }: { session: SessionSummary }) {
  const ending = endingOf(session);
  return (
    <a href={`#/sessions/${session.id}`}>
      <strong>{session.personaConfig?.name ?? 'Persona'}</strong>
      <span class="muted">
        {moment(session.startTime)}
        {session.personaVersion != null && ` · ${versionText(session.personaVersion)}`}
        {sourceText(session) !== null && ` · ${sourceText(session)}`}
      </span>
      <span class="number muted">{duration(session.sessionLengthMs)}</span>
      <span class="row badges">
        {session.grade && <span class={`badge ${GRADES[session.grade].tone}`}>{GRADES[session.grade].text}</span>}
        <span class={`badge ${ending.tone}`}>{ending.text}</span>
      </span>
    </a>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <p class="card padded muted">No session is like that.</p>;
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
