import { useEffect, useRef } from 'preact/hooks';
import { shownConfig, type WidgetConfig } from './widget-config.ts';

/** The widget itself, as a web site would show it with what is written now. Nobody can be called. */
export function WidgetPreview({
  name,
  imageUrl,
  config,
}: {
  name: string;
  imageUrl: string | null;
  config: WidgetConfig;
}) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let left = false;
    void import('../../../widget/src/element.ts').then(({ ParleyPersona }) => {
      if (left || place.current === null) return;
      if (customElements.get('parley-persona') === undefined) customElements.define('parley-persona', ParleyPersona);
      const element = document.createElement('parley-persona') as InstanceType<typeof ParleyPersona>;
      element.preview = {
        persona: { name, avatarImageUrl: imageUrl, avatarVideoUrl: null },
        widgetConfig: shownConfig(config),
      };
      place.current.replaceChildren(element);
    });
    return () => {
      left = true;
    };
  }, [name, imageUrl, config]);
  return <div class="widget-preview" ref={place} role="region" aria-label="Preview of the widget" />;
}
