import { useEffect, useRef } from 'preact/hooks';
import { restoreFocus } from '../shared/restore-focus.ts';
import { Hidden, Permission } from './components/permission.tsx';
import { ConfirmDialog } from './shell/confirm-dialog.tsx';
import { KeyOffer } from './shell/key-offer.tsx';
import { Navigation } from './shell/navigation.tsx';
import { type ConsolePage, pageOf } from './shell/pages.tsx';
import { UndoBar } from './shell/undo-bar.tsx';
import { apiKey } from './state/key.ts';
import { denialReasonOf } from './state/me.ts';
import { INVITATION, route, TALK } from './state/route.ts';
import { phase } from './state/talk.ts';
import { Welcome } from './views/sign-in/welcome.tsx';
import { Coach } from './tour/coach.tsx';
import { Stage } from './views/talk/stage.tsx';

/** Views that need no key. */
const OPEN: readonly string[] = ['settings', INVITATION];

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
        {!talking &&
          (apiKey.value === null && !OPEN.includes(page.view) ? <Welcome /> : <Page page={page} id={now.id} />)}
      </div>
      <UndoBar />
      <KeyOffer />
      <ConfirmDialog />
      <Coach />
    </div>
  );
}

/** A page, as far as its user may see and change it. */
function Page({ page, id }: { page: ConsolePage; id: string | null }) {
  const { scope, isOnlySeen, label, show } = page;
  if (scope === undefined) return show(id);
  const why = denialReasonOf(scope, 'see');
  if (why !== null) return <Hidden title={label ?? 'Persona'} why={why} />;
  return isOnlySeen ? show(id) : <Permission scope={scope}>{show(id)}</Permission>;
}

/**
 * After a change of the view the keyboard and a screen reader go on where the new content begins. Within a view they
 * stay near.
 */
function useFocusOnChange(address: string) {
  const element = useRef<HTMLDivElement>(null);
  const before = useRef(address);
  useEffect(() => restoreFocus(element.current!), []);
  useEffect(() => {
    if (before.current !== address) element.current?.focus({ preventScroll: true });
    before.current = address;
  }, [address]);
  return element;
}
