import { listAvatars, listPersonas, listVoices } from '../../api/routes.ts';
import { Icon } from '../../components/icon.tsx';
import { FacesProgress } from '../../components/faces-progress.tsx';
import { LoadFailed } from '../../components/notice.tsx';
import { AvatarImage } from '../../components/avatar-image.tsx';
import { useLoaded } from '../../state/load.ts';
import { isInvited, TourInvitation } from '../../tour/invitation.tsx';
import { unsaved } from '../../state/unsaved-changes.ts';
import { may } from '../../state/me.ts';
import { start } from '../../state/talk.ts';
import { companionOf, starters, type Companion } from '../../state/companions.ts';

/** Personas to talk to: the user's own first, then those that need no preparation. */
export function Gallery() {
  const loaded = useLoaded('gallery', async () => {
    const [personas, avatars, voices, invited] = await Promise.all([
      listPersonas(),
      listAvatars(),
      listVoices(),
      // An invitation that came later pushed the personas away below the pointer.
      isInvited(),
    ]);
    return { own: personas.data.map(companionOf), ready: starters(avatars.data, voices.data), invited };
  });
  return (
    <main class="page">
      <header class="page-head">
        <div>
          <h1>Who would you like to talk to?</h1>
          <p>
            Pick a persona and speak, or type if you would rather not use a microphone. Nothing leaves this server
            unless you connected it to other providers.
          </p>
        </div>
        {may('personas') && (
          <a class="button" href="#/personas/new">
            <Icon name="plus" />
            New persona
          </a>
        )}
      </header>
      {loaded.state === 'ready' && loaded.value.invited && <TourInvitation />}
      <FacesProgress />
      {loaded.state === 'failed' && <LoadFailed message={loaded.message} error={loaded.error} again={loaded.again} />}
      {loaded.state === 'loading' && (
        <div class="gallery" aria-busy="true">
          {[0, 1, 2].map((key) => (
            <div key={key} class="skeleton" style={{ height: '20rem' }} />
          ))}
        </div>
      )}
      {loaded.state === 'ready' && (
        <div class="stack groups">
          {loaded.value.own.length > 0 && <Group title="Your personas" companions={loaded.value.own} />}
          {loaded.value.ready.length > 0 && <Group title="Ready to talk" companions={loaded.value.ready} />}
        </div>
      )}
    </main>
  );
}

function Group({ title, companions }: { title: string; companions: readonly Companion[] }) {
  return (
    <section>
      <h2>{title}</h2>
      <ul class="gallery">
        {companions.map((companion) => (
          <li key={companion.key}>
            <Card companion={companion} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Card({ companion }: { companion: Companion }) {
  const { name } = companion;
  return (
    <article class="card persona-card">
      <AvatarImage avatar={companion.avatar} name={name} />
      <div class="body">
        <h3>{name}</h3>
        {companion.editId !== null && unsaved.value.has(companion.editId) && (
          <span class="badge warn">Unsaved changes</span>
        )}
        {companion.lacks !== null && <span class="badge bad">Cannot talk</span>}
        <p>{companion.lacks ?? companion.description}</p>
      </div>
      <div class="actions">
        <button class="button primary" type="button" data-tour="talk" onClick={() => void start(companion, true)}>
          <Icon name="mic" />
          Talk<span class="visually-hidden"> with {name}</span>
        </button>
        <button
          class="button"
          type="button"
          title="Type instead of speaking"
          aria-label={`Type with ${name}`}
          onClick={() => void start(companion, false)}
        >
          <Icon name="keyboard" />
        </button>
        {companion.editId !== null && (
          <a
            class="button"
            href={`#/personas/${encodeURIComponent(companion.editId)}`}
            title={may('personas') ? 'Change' : 'See'}
            aria-label={`${may('personas') ? 'Change' : 'See'} ${name}`}
          >
            <Icon name={may('personas') ? 'pencil' : 'search'} />
          </a>
        )}
      </div>
    </article>
  );
}
