import { useState } from 'preact/hooks';
import { SelectField } from '../../components/fields.tsx';
import { FailedWork } from '../../components/notice.tsx';
import { Shown } from '../../components/page.tsx';
import { Pager } from '../../components/pager.tsx';
import { useLoaded, useLoadedAgain } from '../../state/load.ts';
import { useWork } from '../../state/work.ts';
import { moment } from '../sessions/wording.ts';
import { deliveryBadge, eventText } from './event-wording.ts';
import { type Delivery, listDeliveries, resend, resendFailed, sendTest } from './webhook-api.ts';
import { Options } from '../../components/options.tsx';

const KINDS = [
  ['', 'All'],
  ['pending', 'Waiting'],
  ['delivered', 'Delivered'],
  ['failed', 'Given up'],
] as const;

/** How often it is read again while something waits, ms: an event leaves within about a second. */
const READ_EVERY_MS = 2_000;

/** What was sent to a webhook, and what waits for it. */
export function DeliveryLog({ webhookId }: { webhookId: string }) {
  const [kind, setKind] = useState<(typeof KINDS)[number][0]>('');
  const [page, setPage] = useState(1);
  const deliveries = useLoaded(`deliveries ${webhookId} ${kind} ${page}`, () => listDeliveries(webhookId, page, kind));
  const { work, run } = useWork();
  const waits = deliveries.state === 'ready' && deliveries.value.data.some(({ status }) => status === 'pending');
  useLoadedAgain(deliveries, READ_EVERY_MS, waits);
  const act = (task: () => Promise<unknown>): void =>
    void run(async () => {
      await task();
      deliveries.again();
    });
  return (
    <section class="card padded stack" aria-label="Deliveries">
      <div>
        <h2>Deliveries</h2>
        <p class="muted small">Of the last seven days. What a receiver refuses is tried for a day.</p>
      </div>
      <Buttons webhookId={webhookId} isFailed={kind === 'failed'} act={act} />
      <FailedWork work={work} />
      <SelectField
        label="Show"
        value={kind}
        onChange={(value) => {
          setKind(value as typeof kind);
          setPage(1);
        }}
      >
        <Options of={KINDS} />
      </SelectField>
      <Shown loaded={deliveries}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <p class="muted">Nothing here.</p>
          ) : (
            <>
              <ul class="deliveries">
                {data.map((delivery) => (
                  <DeliveryRow
                    key={delivery.eventId}
                    delivery={delivery}
                    onResend={() => act(() => resend(webhookId, delivery.eventId))}
                  />
                ))}
              </ul>
              <Pager page={page} lastPage={meta.lastPage} onPage={setPage} />
            </>
          )
        }
      </Shown>
    </section>
  );
}

function Buttons(props: { webhookId: string; isFailed: boolean; act: (task: () => Promise<unknown>) => void }) {
  const { webhookId, isFailed, act } = props;
  return (
    <div class="row">
      <button class="button" type="button" onClick={() => act(() => sendTest(webhookId))}>
        Send a test
      </button>
      {isFailed && (
        <button class="button" type="button" onClick={() => act(() => resendFailed(webhookId))}>
          Send all of these again
        </button>
      )}
    </div>
  );
}

function DeliveryRow({ delivery, onResend }: { delivery: Delivery; onResend: () => void }) {
  const badge = deliveryBadge(delivery);
  const { event, attempts, lastProblem, lastStatus, lastDurationSeconds, nextAttemptAt } = delivery;
  return (
    <li>
      <details>
        <summary>
          <span class="what">
            <strong>{eventText(event.type)}</strong>
            <span class="muted small">{moment(event.timestamp)}</span>
          </span>
          <span class={`badge ${badge.tone ?? ''}`}>{badge.text}</span>
        </summary>
        <div class="stack">
          {lastProblem !== null && <p class="small">{lastProblem}</p>}
          <p class="muted small">
            {attempts === 1 ? 'One attempt' : `${attempts} attempts`}
            {lastStatus !== null && ` · status ${lastStatus}`}
            {lastDurationSeconds !== null && ` · ${lastDurationSeconds.toFixed(2)} s`}
            {nextAttemptAt !== null && attempts > 0 && ` · next ${moment(nextAttemptAt)}`}
          </p>
          <pre class="output">{JSON.stringify(event, null, 2)}</pre>
          <div class="row">
            <button class="button" type="button" onClick={onResend}>
              Send again
            </button>
            {typeof event.data['sessionId'] === 'string' && (
              <a class="button quiet" href={`#/sessions/${event.data['sessionId']}`}>
                Its session
              </a>
            )}
          </div>
        </div>
      </details>
    </li>
  );
}
