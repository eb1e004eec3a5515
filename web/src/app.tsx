import { Icon, Logo } from './components/icon.tsx';
import { apiKey } from './state/key.ts';
import { route, type Route } from './state/route.ts';
import { phase } from './state/talk.ts';
import { PersonaForm } from './views/persona-form/persona-form.tsx';
import { SessionList } from './views/sessions/session-list.tsx';
import { SessionRecord } from './views/sessions/session-record.tsx';
import { KeyCard, Settings } from './views/settings.tsx';
import { Share } from './views/share/share.tsx';
import { Gallery } from './views/talk/gallery.tsx';
import { Stage } from './views/talk/stage.tsx';
import { Videos } from './views/videos.tsx';

export function App() {
  const now = route.value;
  const inConversation = phase.value !== 'idle';
  const talking = now.view === 'talk' && inConversation;
  return (
    <div class={talking ? 'shell talking' : 'shell'}>
      <header class="topbar">
        <a class="brand" href="#/">
          <Logo />
          <span>Parley</span>
        </a>
        <nav class="tabs" aria-label="Main">
          <a href="#/" aria-current={now.view === 'talk' || now.view === 'persona' ? 'page' : undefined}>
            <Icon name="talk" />
            <span>Talk</span>
            {phase.value === 'live' && !talking && <i class="live-dot" title="Conversation in progress" />}
          </a>
          <a href="#/sessions" aria-current={now.view === 'sessions' || now.view === 'session' ? 'page' : undefined}>
            <Icon name="list" />
            <span>Sessions</span>
          </a>
          <a href="#/share" aria-current={now.view === 'share' ? 'page' : undefined}>
            <Icon name="share" />
            <span>Share</span>
          </a>
          <a href="#/videos" aria-current={now.view === 'videos' ? 'page' : undefined}>
            <Icon name="film" />
            <span>Videos</span>
          </a>
          <a href="#/settings" aria-current={now.view === 'settings' ? 'page' : undefined}>
            <Icon name="gear" />
            <span>Settings</span>
          </a>
        </nav>
      </header>
      {/* Stays where it is, unseen, while one looks elsewhere: its video element is what sounds. */}
      {inConversation && (
        <div class="conversation-view" hidden={!talking}>
          <Stage />
        </div>
      )}
      {!talking && (apiKey.value === null && now.view !== 'settings' ? <Welcome /> : <View now={now} />)}
    </div>
  );
}

function View({ now }: { now: Route }) {
  switch (now.view) {
    case 'talk':
      return <Gallery />;
    case 'persona':
      return <PersonaForm key={now.id ?? 'new'} id={now.id} />;
    case 'sessions':
      return <SessionList />;
    case 'session':
      return <SessionRecord key={now.id} id={now.id} />;
    case 'share':
      return <Share personaId={now.id} />;
    case 'videos':
      return <Videos />;
    case 'settings':
      return <Settings />;
  }
}

function Welcome() {
  return (
    <main class="page narrow">
      <header class="page-head">
        <div>
          <h1>Welcome to Parley</h1>
          <p>
            Talk with AI personas on your own server: a face, a voice and an LLM. The console needs an API key to begin.
          </p>
        </div>
      </header>
      <KeyCard />
    </main>
  );
}
