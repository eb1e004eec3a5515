import { useEffect, useRef } from 'preact/hooks';
import type { SharedPersona, WidgetConfig } from './share-api.ts';

/** What the widget shows when the persona says nothing about it; the same as the API's. */
export const WIDGET_DEFAULTS = {
  callToAction: 'Talk to our assistant',
  layout: 'floating',
  initialState: 'expanded',
  position: 'bottom-right',
  showTextInput: true,
  showMuteButton: true,
  showTranscript: true,
  showCaptions: false,
  removeWatermark: false,
} as const satisfies WidgetConfig;

/** The widget itself, as a web site would show it with what is written now. Nobody can be called. */
export function WidgetPreview({ persona, config }: { persona: SharedPersona; config: WidgetConfig }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let left = false;
    void import('../../../widget/src/element.ts').then(({ ParleyPersona }) => {
      if (left || place.current === null) return;
      if (customElements.get('parley-persona') === undefined) customElements.define('parley-persona', ParleyPersona);
      const { allowedOrigins: _, allowEverywhere: __, ...look } = { ...WIDGET_DEFAULTS, ...config };
      const element = document.createElement('parley-persona') as InstanceType<typeof ParleyPersona>;
      element.preview = {
        persona: { name: persona.name, avatarImageUrl: persona.avatar?.imageUrl ?? null, avatarVideoUrl: null },
        widgetConfig: look,
      };
      place.current.replaceChildren(element);
    });
    return () => {
      left = true;
    };
  }, [persona, config]);
  return <div class="widget-preview" ref={place} role="region" aria-label="Preview of the widget" />;
}
