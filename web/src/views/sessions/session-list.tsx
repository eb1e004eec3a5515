import { BlockedNotice, ChangeButton } from '../../components/permission.tsx';
import { useState } from 'preact/hooks';
import { requestBytes } from '../../api/client.ts';
import { listSessions } from '../../api/routes.ts';
import type { SessionSummary } from '../../api/types.ts';
import { Icon } from '../../components/icon.tsx';
import { FailedWork, LoadFailed } from '../../components/notice.tsx';
import { Pager } from '../../components/pager.tsx';
import { useLoaded } from '../../state/load.ts';
import { saveFile } from '../../state/save-file.ts';
import { useWork } from '../../state/work.ts';
import { costText } from '../prices/money.ts';
import { deleteContentSoon, isContentDeleted } from './delete-content.ts';
import { LiveNow } from './live-now.tsx';
import { FilterBar } from './session-filters.tsx';
import { NO_FILTERS, queryOf, type SessionFilters } from './session-query.ts';
import { duration, endingOf, GRADES, moment, sourceText, versionText } from './wording.ts';

export function SessionList() {
  const [page, setPage] = useState(1);
  const [filters, setFilters] = useState<SessionFilters>(NO_FILTERS);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const query = queryOf(filters);
  const sessions = useLoaded(`sessions ${page} ${query}`, () => listSessions(page, query));
  const choose = (ids: readonly string[], on: boolean): void => {
    const others = chosen.filter((id) => !ids.includes(id));
    setChosen(on ? [...others, ...ids] : others);
  };
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
      <BlockedNotice />
      <LiveNow onEnded={sessions.again} />
      <FilterBar
        filters={filters}
        onChange={(changed) => {
          setFilters(changed);
          setPage(1);
          setChosen([]);
        }}
      />
      <Actions
        query={query}
        chosen={chosen.length}
        onDelete={() => {
          deleteContentSoon(chosen, sessions.again);
          setChosen([]);
        }}
      />
      {sessions.state === 'failed' && (
        <LoadFailed message={sessions.message} error={sessions.error} again={sessions.again} />
      )}
      {sessions.state === 'loading' && <div class="skeleton" style={{ height: '24rem' }} aria-busy="true" />}
      {sessions.state === 'ready' &&
        (sessions.value.data.length === 0 ? (
          <Nothing isFiltered={query !== ''} />
        ) : (
          <>
            <Rows sessions={sessions.value.data} chosen={chosen} onChoose={choose} />
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
          <>
            <ChangeButton class="button danger" onClick={props.onDelete}>
              Delete the content of {props.chosen}
            </ChangeButton>
            <span class="muted small">Transcript, recording and log. Times and counts stay.</span>
          </>
        )}
      </div>
      <FailedWork work={work} />
    </>
  );
}

function Rows(props: {
  sessions: readonly SessionSummary[];
  chosen: readonly string[];
  onChoose: (ids: readonly string[], on: boolean) => void;
}) {
  const { sessions, chosen, onChoose } = props;
  const choosable = sessions.filter(hasContent).map(({ id }) => id);
  return (
    <>
      <label class="check choose-all">
        <input
          type="checkbox"
          disabled={choosable.length === 0}
          checked={choosable.length > 0 && choosable.every((id) => chosen.includes(id))}
          onChange={(event) => onChoose(choosable, event.currentTarget.checked)}
        />
        All of this page
      </label>
      <ul class="card sessions">
        {sessions.map((session) => (
          <li key={session.id} class="chosen-line">
            <input
              type="checkbox"
              aria-label={`Choose the session of ${moment(session.startTime)}`}
              disabled={!hasContent(session)}
              checked={chosen.includes(session.id)}
              onChange={(event) => onChoose([session.id], event.currentTarget.checked)}
            />
            <Row session={session} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Whether there is something to delete. What goes on has to end first. */
const hasContent = (session: SessionSummary): boolean => session.endTime !== null && !isContentDeleted(session);

async function saveExport(format: 'csv' | 'jsonl', query: string): Promise<void> {
  const file = await requestBytes('GET', `/v1/sessions/export?format=${format}${query === '' ? '' : `&${query}`}`);
  saveFile(`sessions.${format}`, file);
}

function Row({ session }: { session: SessionSummary }) {
  const ending = endingOf(session);
  return (
    <a href={`#/sessions/${session.id}`}>
      <strong>{session.personaConfig?.name ?? 'Persona'}</strong>
      <span class="muted when">
        {moment(session.startTime)}
        {session.personaVersion != null && ` · ${versionText(session.personaVersion)}`}
        {sourceText(session) !== null && ` · ${sourceText(session)}`}
        {session.cost != null && ` · ${costText(session.cost)}`}
      </span>
      <span class="number muted">{duration(session.sessionLengthMs)}</span>
      <span class="row badges">
        {isContentDeleted(session) && <span class="badge">Content deleted</span>}
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
