import { useRef } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { startTour } from '../tour/tour.ts';

/** Opens with the browser's own popover: Escape and a click elsewhere close it. */
export function HelpMenu() {
  const menu = useRef<HTMLDivElement>(null);
  return (
    <div class="help">
      <button class="button quiet" type="button" popovertarget="help-menu">
        <Icon name="help" />
        Help
      </button>
      <div ref={menu} id="help-menu" class="card help-menu" popover="auto">
        <ul>
          <li>
            <button
              class="button quiet"
              type="button"
              onClick={() => {
                menu.current?.hidePopover();
                startTour();
              }}
            >
              Take the tour
            </button>
          </li>
          <li>
            <a class="button quiet" href="docs/">
              API reference
            </a>
          </li>
        </ul>
      </div>
    </div>
  );
}
