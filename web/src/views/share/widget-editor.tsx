import { useState } from 'preact/hooks';
import { FailedWork, Notice } from '../../components/notice.tsx';
import { RequestForm, SubmitButton } from '../../components/request-form.tsx';
import { useFormWork } from '../../state/form-work.ts';
import { EmbedCodeField } from './embed-code-field.tsx';
import { saveWidgetConfig, type SharedPersona } from './share-api.ts';
import type { WidgetConfig } from './widget-config.ts';
import { WidgetFields } from './widget-fields.tsx';
import { WidgetPreview } from './widget-preview.tsx';

/** How a persona looks on web sites, and which ones may show it. */
export function WidgetEditor({ persona, service }: { persona: SharedPersona; service: string }) {
  const [config, setConfig] = useState<WidgetConfig>(persona.widgetConfig ?? {});
  const [isSaved, setSaved] = useState(false);
  const form = useFormWork();
  const set = (change: WidgetConfig): void => {
    setConfig({ ...config, ...change });
    setSaved(false);
  };

  async function onSend(): Promise<void> {
    setSaved(false);
    await saveWidgetConfig(persona.id, config);
    setSaved(true);
  }

  return (
    <section class="card padded stack">
      <div>
        <h2>On your web site</h2>
        <p class="muted small">A widget with which the visitors of your pages talk to {persona.name}.</p>
      </div>
      <div class="widget-editor">
        <RequestForm form={form} class="stack" onSend={onSend}>
          <WidgetFields config={config} versions={persona.versions} variables={persona.variables} onChange={set} />
          <FailedWork work={form.work} />
          {isSaved && (
            <Notice tone="good">
              <span>Saved.</span>
            </Notice>
          )}
          <div class="row">
            <SubmitButton form={form}>Save</SubmitButton>
          </div>
        </RequestForm>
        <WidgetPreview name={persona.name} imageUrl={persona.avatar?.imageUrl ?? null} config={config} />
      </div>
      <EmbedCodeField
        service={service}
        source={{ kind: 'persona', personaId: persona.id }}
        layout={config.layout ?? 'floating'}
      />
    </section>
  );
}
