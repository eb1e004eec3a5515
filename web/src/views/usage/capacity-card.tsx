import { useLoaded, useLoadedAgain } from '../../state/load.ts';
import { serviceUrl } from '../../api/service.ts';

/** How often the service is asked. */
const ASK_EVERY_MS = 5_000;

/** What `/readyz` says of this engine. */
interface Readiness {
  readonly activeSessions: number;
  readonly capacity: number;
  /** Without other programs. */
  readonly capacityAlone: number;
  readonly freePlaces: number;
  readonly promise: 'kept' | 'at risk';
  readonly saving: 'none' | 'loops' | 'listeners' | 'all';
}

const SAVING = {
  none: 'Sound and video of all conversations are on time.',
  loops: 'The machine is busy: faces at rest are shown with less effort.',
  listeners: 'The machine is busy: faces that do not speak have half the frames.',
  all: 'The machine is busy: all faces have half the frames.',
} as const;

/** How many conversations this machine has room for, and whether those that go on are on time. */
export function CapacityCard() {
  const readiness = useLoaded(
    'readiness',
    async () => (await (await fetch(`${serviceUrl()}/readyz`)).json()) as Readiness,
  );
  useLoadedAgain(readiness, ASK_EVERY_MS);
  // Other requests of the page report this error.
  if (readiness.state !== 'ready') return null;
  const { activeSessions, capacity, capacityAlone, freePlaces, promise, saving } = readiness.value;
  return (
    <section class="card padded capacity-card" aria-live="polite">
      <h2>This machine</h2>
      <p>
        {activeSessions} of {capacity} conversations, room for {freePlaces} more.
      </p>
      <meter min={0} max={capacity} value={activeSessions} aria-label="Live conversations" />
      {capacityAlone > capacity && (
        <p class="small">
          Other programs keep it busy: places now {capacity} of {capacityAlone}. They come back when those programs end;
          a machine of its own has them always.
        </p>
      )}
      <p class="muted small">
        {promise === 'at risk' && saving === 'none'
          ? 'The machine is busy: no further conversation is taken for a moment.'
          : SAVING[saving]}
      </p>
    </section>
  );
}
