import { useState } from 'preact/hooks';
import { ApiError, type Problem, sentenceOf } from '../../api/client.ts';
import { Notice } from '../../components/notice.tsx';
import { FieldProblems } from '../../components/problems.tsx';
import { EmbedCodeField } from './embed-code-field.tsx';
import { saveWidgetConfig, type SharedPersona } from './share-api.ts';
import type { WidgetConfig } from './widget-config.ts';
import { WidgetFields } from './widget-fields.tsx';
import { WidgetPreview } from './widget-preview.tsx';

interface Outcome {
  readonly text: string;
  readonly bad: boolean;
  readonly problems: readonly Problem[];
}

/** How a persona looks on web sites, and which ones may show it. */
export function WidgetEditor({ persona, service }: { persona: SharedPersona; service: string }) {
  const [config, setConfig] = useState<WidgetConfig>(persona.widgetConfig ?? {});
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const set = (change: WidgetConfig): void => {
    setConfig({ ...config, ...change });
    setOutcome(null);
  };

  async function save(event: Event): Promise<void> {
    event.preventDefault();
    try {
      await saveWidgetConfig(persona.id, config);
      setOutcome({ text: 'Saved.', bad: false, problems: [] });
    } catch (error) {
      setOutcome({ text: sentenceOf(error), bad: true, problems: error instanceof ApiError ? error.problems : [] });
    }
  }

  return (
    <section class="card padded stack">
      <div>
        <h2>On your web site</h2>
        <p class="muted small">A widget with which the visitors of your pages talk to {persona.name}.</p>
      </div>
      <div class="widget-editor">
        <form class="stack" onSubmit={(event) => void save(event)}>
          <FieldProblems value={outcome?.problems ?? []}>
            <WidgetFields config={config} onChange={set} />
          </FieldProblems>
          {outcome !== null && (
            <Notice bad={outcome.bad}>
              <span>{outcome.text}</span>
            </Notice>
          )}
          <div class="row">
            <button class="button primary" type="submit">
              Save
            </button>
          </div>
        </form>
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
