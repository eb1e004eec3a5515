import { useEffect, useRef } from 'preact/hooks';
import { keepFocus } from '../shared/keep-focus.ts';
import { AskedQuestion } from './shell/asked-question.tsx';
import { KeyOffer } from './shell/key-offer.tsx';
import { Navigation } from './shell/navigation.tsx';
import { pageOf } from './shell/pages.tsx';
import { UndoBar } from './shell/undo-bar.tsx';
import { apiKey } from './state/key.ts';
import { route, TALK } from './state/route.ts';
import { phase } from './state/talk.ts';
import { KeyCard } from './views/settings.tsx';
import { Coach } from './tour/coach.tsx';
import { Stage } from './views/talk/stage.tsx';

export function App() {
  const now = route.value;
  const page = pageOf(now.view);
  const inConversation = phase.value !== 'idle';
  const talking = page.view === TALK && inConversation;
  const content = useFocusOnChange(`${now.view}/${now.id}`);
  return (
    <div class={talking ? 'shell talking' : 'shell'}>
      <a class="skip-link" href="#content" onClick={(event) => (event.preventDefault(), content.current?.focus())}>
        Skip to the content
      </a>
      <Navigation current={page.view} />
      <div class="content" id="content" tabIndex={-1} ref={content}>
        {/* Stays where it is, unseen, while one looks elsewhere: its video element is what sounds. */}
        {inConversation && (
          <div class="conversation-view" hidden={!talking}>
            <Stage />
          </div>
        )}
        {!talking && (apiKey.value === null && page.view !== 'settings' ? <Welcome /> : page.show(now.id))}
      </div>
      <UndoBar />
      <KeyOffer />
      <AskedQuestion />
      <Coach />
    </div>
  );
}

/**
 * After a change of the view the keyboard and a screen reader go on where the new content begins. Within a view they
 * stay near.
 */
function useFocusOnChange(address: string) {
  const element = useRef<HTMLDivElement>(null);
  const before = useRef(address);
  useEffect(() => keepFocus(element.current!), []);
  useEffect(() => {
    if (before.current !== address) element.current?.focus({ preventScroll: true });
    before.current = address;
  }, [address]);
  return element;
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
