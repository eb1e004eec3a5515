import { useEffect, useState } from 'preact/hooks';
import { Icon, Logo } from '../components/icon.tsx';
import { apiKey } from '../state/key.ts';
import { me } from '../state/me.ts';
import { nameOfRole } from '../state/denial-reason.ts';
import { route, TALK } from '../state/route.ts';
import { phase } from '../state/talk.ts';
import { HelpMenu } from './help-menu.tsx';
import { shownStep } from '../tour/tour.ts';
import { PAGE_GROUPS, pagesToShow, type ConsolePage } from './pages.tsx';

/** Beside the page on a wide screen; on a narrow one behind a button. */
export function Navigation({ current }: { current: string }) {
  const [open, setOpen] = useState(false);
  const now = route.value;
  // The tour points at the page, which the open menu covers on a narrow screen.
  useEffect(() => setOpen(false), [now.view, now.id, shownStep.value?.step]);
  return (
    <header class="sidebar" onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}>
      <div class="sidebar-head">
        <a class="brand" href="#/">
          <Logo />
          <span>Parley</span>
        </a>
        <button
          class="button quiet menu-button"
          type="button"
          aria-expanded={open}
          aria-controls="navigation"
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? 'cross' : 'menu'} />
          Menu
        </button>
      </div>
      <nav id="navigation" class={open ? 'open' : undefined} aria-label="Main">
        {PAGE_GROUPS.map((group) => (
          <div key={group.title} class="nav-group">
            {group.title !== null && <h2>{group.title}</h2>}
            <ul>
              {pagesToShow(group).map((page) => (
                <Item key={page.view} page={page} current={current} onGo={() => setOpen(false)} />
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <SignedIn />
      <HelpMenu />
    </header>
  );
}

/** Who it is, where they sign out. */
function SignedIn() {
  const who = me.value;
  if (apiKey.value === null || who === null || who.role === null) return null;
  return (
    <a class="signed-in" href="#/settings">
      <Icon name="person" />
      <span>
        <span class="name">{who.name}</span>
        <span class="muted small">{nameOfRole(who.role)}</span>
      </span>
    </a>
  );
}

/** @param props.onGo also for the page that is shown: its address does not change, and the menu would go on covering it. */
function Item(props: { page: ConsolePage; current: string; onGo: () => void }) {
  const { current, onGo } = props;
  const { view, label, icon } = props.page;
  const here = view === current || (view === TALK && current === 'personas');
  return (
    <li>
      <a href={view === TALK ? '#/' : `#/${view}`} aria-current={here ? 'page' : undefined} onClick={onGo}>
        <Icon name={icon} />
        <span>{label}</span>
        {view === TALK && phase.value === 'live' && current !== TALK && (
          <i class="live-dot" title="Conversation in progress" />
        )}
      </a>
    </li>
  );
}
