import { listSessions } from '../api/routes.ts';
import { useLoaded } from '../state/load.ts';
import { endTour, startTour, tour } from './tour.ts';

/** For a service where nobody has talked yet, and a browser that has not been asked. */
export function TourInvitation() {
  return tour.value.name === 'new' ? <IfNothingDoneYet /> : null;
}

function IfNothingDoneYet() {
  const sessions = useLoaded('tour', () => listSessions(1));
  if (sessions.state !== 'ready' || sessions.value.meta.total > 0) return null;
  return (
    <section class="card tour-invitation" aria-labelledby="tour-invitation">
      <div>
        <h2 id="tour-invitation">New here?</h2>
        <p class="muted">
          In one minute you hold your first conversation, and see where it is kept. You can take the tour later: press
          Help.
        </p>
      </div>
      <div class="row">
        <button class="button primary" type="button" onClick={startTour}>
          Take the tour
        </button>
        <button class="button quiet" type="button" onClick={endTour}>
          Not now
        </button>
      </div>
    </section>
  );
}
