import { useEffect, useRef } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { Page, SessionSummary } from '../../api/types.ts';
import { useLoaded, useLoadedAgain } from '../../state/load.ts';
import { StopSession } from './stop-session.tsx';
import { moment } from './wording.ts';

/** How often the service is asked. */
const ASK_EVERY_MS = 5_000;

interface Concurrency {
  readonly limit: number;
  readonly active: number;
}

/**
 * Conversations that go on, each with a button that ends it. Nothing is shown when there are none.
 * @param props.onEnded one of them, or some, have ended.
 */
export function LiveNow({ onEnded }: { onEnded: () => void }) {
  const live = useLoaded('live', async () => {
    const concurrency = await request<Concurrency>('GET', '/v1/sessions/concurrency');
    // Live sessions are among the newest ones.
    const newest =
      concurrency.active === 0 ? [] : (await request<Page<SessionSummary>>('GET', '/v1/sessions?perPage=100')).data;
    return { concurrency, sessions: newest.filter(({ endTime }) => endTime === null) };
  });
  useLoadedAgain(live, ASK_EVERY_MS);
  const ids = live.state === 'ready' ? live.value.sessions.map(({ id }) => id) : null;
  const before = useRef(ids);
  useEffect(() => {
    if (ids === null) return;
    if (before.current?.some((id) => !ids.includes(id)) === true) onEnded();
    before.current = ids;
  }, [ids?.join(' ')]);
  if (live.state !== 'ready' || live.value.sessions.length === 0) return null;
  const { concurrency, sessions } = live.value;
  return (
    <section class="stack live-now">
      <h2>
        Live now: {concurrency.active} of at most {concurrency.limit}
      </h2>
      <ul class="card rows">
        {sessions.map(({ id, personaConfig, startTime, clientLabel }) => (
          <li key={id} class="row-line">
            <span class="what">
              <strong>{personaConfig?.name ?? 'Persona'}</strong>
              <span class="muted small">
                Since {moment(startTime)}
                {clientLabel === null ? '' : ` · ${clientLabel}`}
              </span>
            </span>
            <a class="button quiet" href={`#/sessions/${id}`}>
              Look<span class="visually-hidden"> at the conversation with {personaConfig?.name}</span>
            </a>
            <StopSession id={id} name={personaConfig?.name ?? 'the persona'} onStopped={live.again} />
          </li>
        ))}
      </ul>
    </section>
  );
}
