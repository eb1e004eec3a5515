import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { restoreFocus } from '../../../shared/restore-focus.ts';
import { cornerOf, type Layout, type Options } from '../options.ts';
import { Launcher } from './launcher.tsx';
import { Panel } from './panel.tsx';
import type { ViewProps } from './view-props.ts';

interface WidgetProps extends ViewProps {
  readonly options: Options;
  readonly language: string;
  readonly host: HTMLElement;
  readonly isPreview: boolean;
}

/** The whole widget: a button that opens the conversation, or the conversation. */
export function Widget({ conversation, options, texts, language, host, isPreview }: WidgetProps) {
  const config = conversation.look.value?.widgetConfig;
  const layout: Layout = options.layout ?? (config?.layout === 'inline' ? 'inline' : 'floating');
  const startsOpen = (options.initialState ?? config?.initialState ?? 'minimized') === 'expanded';
  /** Null: the visitor has not chosen. */
  const [chosen, setChosen] = useState<boolean | null>(null);
  /** After a reload, the visitor finds the conversation as it was. */
  const [wasTalking, setWasTalking] = useState(false);
  const isOpen = layout !== 'floating' || (chosen ?? (wasTalking || (startsOpen && config !== undefined)));
  const launcher = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLElement>(null);

  useEffect(() => {
    if (conversation.canResume.value) setWasTalking(true);
  }, [conversation.canResume.value]);
  useHost(host, layout);
  useFocus(chosen, { panel, launcher });
  usePageOfItsOwn(layout, language, conversation.look.value?.persona.name ?? null);

  function open(): void {
    setChosen(true);
    host.dispatchEvent(new CustomEvent('parley:expanded', { detail: {}, bubbles: true, composed: true }));
  }
  function minimize(): void {
    setChosen(false);
    host.dispatchEvent(new CustomEvent('parley:minimized', { detail: {}, bubbles: true, composed: true }));
  }

  // On a web site that may not show it, a floating widget stays away until it is opened by hand.
  const corner = options.position ?? cornerOf(config?.position ?? '');
  return (
    <div class={`widget ${layout} ${corner}`} lang={language} data-theme={options.theme}>
      {layout === 'floating' && (
        <Launcher
          conversation={conversation}
          texts={texts}
          callToAction={options.callToAction}
          isOpen={isOpen}
          button={launcher}
          open={open}
        />
      )}
      {layout === 'floating' && !isOpen && conversation.inConversation.value === false ? null : (
        <Panel
          conversation={conversation}
          texts={texts}
          layout={layout}
          callToAction={options.callToAction}
          isPreview={isPreview}
          isOpen={isOpen}
          panel={panel}
          minimize={layout === 'floating' ? minimize : null}
        />
      )}
    </div>
  );
}

function useHost(host: HTMLElement, layout: Layout): void {
  useEffect(() => {
    host.setAttribute('data-layout', layout);
  }, [layout]);
  // Buttons come and go with the phases of a conversation.
  useEffect(() => restoreFocus(host.shadowRoot!), []);
}

/** The focus follows what the visitor opened or closed. It stays where it is when the page opens. */
function useFocus(
  chosen: boolean | null,
  {
    panel,
    launcher,
  }: { readonly panel: RefObject<HTMLElement | null>; readonly launcher: RefObject<HTMLElement | null> },
): void {
  useEffect(() => {
    if (chosen === true) panel.current?.focus();
    if (chosen === false) launcher.current?.focus();
  }, [chosen]);
}

/** A page of its own is named after the persona. */
function usePageOfItsOwn(layout: Layout, language: string, name: string | null): void {
  useEffect(() => {
    if (layout !== 'page') return;
    document.documentElement.lang = language;
    if (name !== null) document.title = name;
  }, [layout, language, name]);
}
