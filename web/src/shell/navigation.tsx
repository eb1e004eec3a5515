import { useEffect, useState } from 'preact/hooks';
import { Icon, Logo } from '../components/icon.tsx';
import { route, TALK } from '../state/route.ts';
import { phase } from '../state/talk.ts';
import { HelpMenu } from './help-menu.tsx';
import { shownStep } from '../tour/tour.ts';
import { PAGE_GROUPS, type ConsolePage } from './pages.tsx';

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
        {PAGE_GROUPS.map(({ title, pages }) => (
          <div key={title} class="nav-group">
            {title !== null && <h2>{title}</h2>}
            <ul>
              {pages.map(
                (page) =>
                  page.label !== null && (
                    <Item key={page.view} page={page} current={current} onGo={() => setOpen(false)} />
                  ),
              )}
            </ul>
          </div>
        ))}
      </nav>
      <HelpMenu />
    </header>
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
