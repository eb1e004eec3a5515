import { listSessions } from '../api/routes.ts';
import { endTour, startTour, tour } from './tour.ts';

/** Whether it is a service where nobody has talked yet, and a browser that has not been asked. Never throws. */
export async function isInvited(): Promise<boolean> {
  if (tour.value.name !== 'new') return false;
  return listSessions(1).then(
    ({ meta }) => meta.total === 0,
    () => false,
  );
}

/** For those who are invited, as long as they have not answered. */
export function TourInvitation() {
  if (tour.value.name !== 'new') return null;
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
