import { useState } from 'preact/hooks';
import { SelectField } from './fields.tsx';
import { groupEvents } from '../session/event-groups.ts';
import type { TimelineEvent } from '../session/timeline-event.ts';

const WHO: Readonly<Record<TimelineEvent['kind'], string>> = {
  user: 'You',
  persona: 'Persona',
  floor: 'Floor',
  tool: 'Tool',
  network: 'Network',
  service: 'Service',
};

/** Newest first: users look for what just happened. */
export function Timeline({ events }: { events: readonly TimelineEvent[] }) {
  const [kind, setKind] = useState<TimelineEvent['kind'] | ''>('');
  if (events.length === 0)
    return (
      <p class="muted small">
        What happens in the conversation is listed here: who takes the floor, which tools are called, how the network
        does.
      </p>
    );
  const shown = kind === '' ? events : events.filter((event) => event.kind === kind);
  return (
    <>
      <KindField events={events} kind={kind} onChange={setKind} />
      {kind === '' ? <Groups events={shown} /> : <Events events={shown} />}
    </>
  );
}

/** Of what there is, one kind or all. */
function KindField(props: {
  events: readonly TimelineEvent[];
  kind: TimelineEvent['kind'] | '';
  onChange: (kind: TimelineEvent['kind'] | '') => void;
}) {
  const kinds = [...new Set(props.events.map(({ kind }) => kind))];
  return (
    <SelectField
      label="Events of"
      value={props.kind}
      onChange={(kind) => props.onChange(kind as TimelineEvent['kind'] | '')}
    >
      <option value="">Everything</option>
      {kinds.map((kind) => (
        <option key={kind} value={kind}>
          {WHO[kind]}
        </option>
      ))}
    </SelectField>
  );
}

function Groups({ events }: { events: readonly TimelineEvent[] }) {
  const groups = groupEvents(events);
  return (
    <ol class="timeline">
      {groups.toReversed().map(({ kind, events: run }) => (
        <li key={events.indexOf(run[0]!)}>
          {run.length === 1 ? (
            <Event event={run[0]!} />
          ) : (
            <details>
              <summary>
                <Event event={{ ...run.at(-1)!, kind }} more={run.length - 1} />
              </summary>
              <Events events={run.slice(0, -1)} />
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}

function Events({ events }: { events: readonly TimelineEvent[] }) {
  return (
    <ol class="timeline">
      {events.toReversed().map((event, index) => (
        <li key={events.length - index}>
          <Event event={event} />
        </li>
      ))}
    </ol>
  );
}

/** @param props.more how many events before it are behind it. */
function Event({ event, more = 0 }: { event: TimelineEvent; more?: number }) {
  return (
    <span class={`event ${event.kind === 'floor' ? 'floor-event' : event.kind}`}>
      <time>{clock(event.at)}</time>
      <span class="mark" title={WHO[event.kind]} />
      <span>
        <span class="visually-hidden">{WHO[event.kind]}: </span>
        {event.label}
        {more > 0 && <span class="muted"> · {more} more before it</span>}
      </span>
    </span>
  );
}

/** 83450 → "1:23.4". */
function clock(ms: number): string {
  const tenths = Math.floor(ms / 100);
  const seconds = Math.floor(tenths / 10);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}.${tenths % 10}`;
}
