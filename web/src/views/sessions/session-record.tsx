import { ChangeButton } from '../../components/permission.tsx';
import { ApiError } from '../../api/client.ts';
import { getAnalytics, getRecording, getSession, getTimeline, getTranscript } from '../../api/routes.ts';
import type { Analytics, SessionSummary } from '../../api/types.ts';
import { Conversation } from '../../components/conversation.tsx';
import { Icon } from '../../components/icon.tsx';
import { LoadFailed } from '../../components/notice.tsx';
import { Timeline } from '../../components/timeline.tsx';
import { Waterfalls } from '../../components/waterfall.tsx';
import { timelineOf } from '../../session/timeline-event.ts';
import { useLoaded } from '../../state/load.ts';
import { CostCard } from './cost-card.tsx';
import { costText } from '../prices/money.ts';
import { AnswerChart } from './answer-chart.tsx';
import { deleteContentSoon, isContentDeleted } from './delete-content.ts';
import { GradeCard } from './grade-card.tsx';
import { linesWithCalls } from './lines-with-calls.ts';
import { MakeTest } from './make-test.tsx';
import { sessionFigures } from './session-figures.ts';
import { StopSession } from './stop-session.tsx';
import { duration, endingOf, moment, secondsText, turnRecordOf, versionText } from './wording.ts';

/** One past or running conversation. */
export function SessionRecord({ id }: { id: string }) {
  const loaded = useLoaded(id, () => recordOf(id));
  return (
    <main class="page">
      <a class="back" href="#/sessions">
        <Icon name="back" />
        All sessions
      </a>
      {loaded.state === 'loading' && <div class="skeleton" style={{ height: '30rem' }} aria-busy="true" />}
      {loaded.state === 'failed' && <LoadFailed message={loaded.message} error={loaded.error} again={loaded.again} />}
      {loaded.state === 'ready' && <Kept record={loaded.value} again={loaded.again} />}
    </main>
  );
}

type SessionRecordParts = Awaited<ReturnType<typeof recordOf>>;

async function recordOf(id: string) {
  const [session, transcript, analytics, timeline, recording] = await Promise.all([
    getSession(id),
    kept(getTranscript(id)),
    kept(getAnalytics(id)),
    kept(getTimeline(id)),
    kept(getRecording(id)),
  ]);
  return { session, transcript, analytics, timeline, recordingUrl: recording?.recordingUrl ?? null };
}

function Kept({ record, again }: { record: SessionRecordParts; again: () => void }) {
  const { session, transcript, analytics, timeline, recordingUrl } = record;
  const isDeleted = isContentDeleted(session);
  return (
    <div class="stack">
      <Head session={session} onChanged={again} />
      <Figures session={session} analytics={analytics} />
      <div class="columns">
        <div class="stack">
          <GradeCard session={session} />
          {recordingUrl !== null && !isDeleted && <Recording url={recordingUrl} />}
          <Transcript transcript={isDeleted ? null : transcript} turns={analytics?.turns ?? []} />
        </div>
        <div class="stack">
          <AnswerChart turns={timeline?.turns ?? []} />
          <section class="card padded">
            <h2>Where the time went</h2>
            {/* The timeline knows more stages than the public analytics. */}
            <Waterfalls turns={timeline?.turns ?? analytics?.turns.map(turnRecordOf) ?? []} />
          </section>
          <CostCard session={session} />
          <Tools session={session} />
          {timeline !== null && timeline.events.length > 0 && (
            <section class="card padded">
              <h2>Events</h2>
              <div class="scrolled" tabIndex={0}>
                <Timeline events={timelineOf(timeline.turns, timeline.events)} />
              </div>
            </section>
          )}
        </div>
      </div>
    </div>
  );
}

function Transcript({ transcript, turns }: Pick<SessionRecordParts, 'transcript'> & Pick<Analytics, 'turns'>) {
  return (
    <section class="card padded" data-tour="transcript">
      <h2>Transcript</h2>
      {transcript === null ? (
        <p class="muted">No transcript was kept for this session.</p>
      ) : (
        <Conversation lines={linesWithCalls(transcript.messages, turns)} />
      )}
    </section>
  );
}

/** Its address is valid for an hour. */
function Recording({ url }: { url: string }) {
  return (
    <section class="card padded">
      <h2>Recording</h2>
      <video class="recording" src={url} controls preload="metadata" playsInline />
    </section>
  );
}

function Head({ session, onChanged }: { session: SessionSummary; onChanged: () => void }) {
  const ending = endingOf(session);
  return (
    <header class="page-head" style={{ marginBottom: 0 }}>
      <div>
        <h1>{session.personaConfig?.name ?? 'Persona'}</h1>
        <p>
          {moment(session.startTime)}
          {session.personaVersion != null && ` · ${versionText(session.personaVersion)}`}
          {session.end_message ? ` · ${session.end_message}` : ''}
        </p>
      </div>
      <div class="row">
        <span class={`badge ${ending.tone}`}>{ending.text}</span>
        <Actions session={session} onChanged={onChanged} />
      </div>
    </header>
  );
}

function Actions({ session, onChanged }: { session: SessionSummary; onChanged: () => void }) {
  if (session.endTime === null)
    return <StopSession id={session.id} name={session.personaConfig?.name ?? 'the persona'} onStopped={onChanged} />;
  if (isContentDeleted(session)) return <span class="badge">Content deleted</span>;
  return (
    <>
      {session.personaId !== null && <MakeTest sessionId={session.id} personaId={session.personaId} />}
      <ChangeButton
        class="button quiet delete"
        title="Transcript, recording and log. Times and counts stay."
        onClick={() => deleteContentSoon([session.id], onChanged)}
      >
        <Icon name="trash" />
        Delete the content
      </ChangeButton>
    </>
  );
}

function Figures({ session, analytics }: { session: SessionSummary; analytics: Analytics | null }) {
  const measured = analytics === null ? null : sessionFigures(analytics);
  const figures = [
    ['Length', duration(session.sessionLengthMs)],
    ...costFigure(session),
    ['Questions', measured === null ? '–' : String(measured.questions)],
    ['Interrupted', measured === null ? '–' : String(measured.interrupted)],
    ...measuredText('Answer heard after, median', measured?.heardMedian),
    ...measuredText('Answer heard after, 95\u00a0%', measured?.heardP95),
    ...measuredText('Understood after, median', measured?.understoodMedian),
  ] as const;
  return (
    <dl class="figures">
      {figures.map(([name, value]) => (
        <div key={name} class="card">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function costFigure({ cost = null }: SessionSummary): (readonly [string, string])[] {
  const text = costText(cost);
  return text === null ? [] : [['Cost', text]];
}

/** Who typed has no figures of speech. */
const measuredText = (name: string, value: number | null | undefined): (readonly [string, string])[] =>
  typeof value === 'number' ? [[name, secondsText(value)]] : [];

function Tools({ session }: { session: SessionSummary }) {
  if (session.toolCalls === undefined || session.toolCalls.length === 0) return null;
  return (
    <section class="card padded">
      <h2>Tools</h2>
      <ul class="stack" style={{ gap: '0.6rem' }}>
        {session.toolCalls.map((call) => (
          <li key={call.toolCallId} class="row" style={{ justifyContent: 'space-between' }}>
            <span>{call.toolName}</span>
            <span class={call.status === 'failed' ? 'badge bad' : 'badge'}>
              {call.status}
              {typeof call.durationSeconds === 'number' ? ` · ${call.durationSeconds.toFixed(2)} s` : ''}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Absent is a normal answer: nothing was kept, or the session still runs. */
async function kept<T>(loading: Promise<T>): Promise<T | null> {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
