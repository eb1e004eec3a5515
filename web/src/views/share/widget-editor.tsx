import { useState } from 'preact/hooks';
import { sentenceOf } from '../../api/client.ts';
import { SelectField, TextField } from '../../components/fields.tsx';
import { Notice } from '../../components/notice.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { embedCode } from './embed-code.ts';
import { linesOf } from './link-wording.ts';
import { saveWidgetConfig, type SharedPersona, type WidgetConfig } from './share-api.ts';
import { WIDGET_DEFAULTS, WidgetPreview } from './widget-preview.tsx';

const SWITCHES = [
  ['showTextInput', 'Visitors can type'],
  ['showMuteButton', 'A button mutes the microphone'],
  ['showTranscript', 'Visitors can open the transcript'],
  ['showCaptions', 'Captions are on from the start'],
  ['removeWatermark', 'Without “Made with Parley”'],
] as const satisfies readonly (readonly [keyof WidgetConfig, string])[];

/** How a persona looks on web sites, and which ones may show it. */
export function WidgetEditor({ persona, service }: { persona: SharedPersona; service: string }) {
  const [config, setConfig] = useState<WidgetConfig>({ ...WIDGET_DEFAULTS, ...persona.widgetConfig });
  const [sites, setSites] = useState((persona.widgetConfig?.allowedOrigins ?? []).join('\n'));
  const [outcome, setOutcome] = useState<{ readonly text: string; readonly bad: boolean } | null>(null);
  const set = (change: WidgetConfig): void => {
    setConfig({ ...config, ...change });
    setOutcome(null);
  };

  async function save(event: Event): Promise<void> {
    event.preventDefault();
    try {
      await saveWidgetConfig(persona.id, { ...config, allowedOrigins: linesOf(sites) });
      setOutcome({ text: 'Saved.', bad: false });
    } catch (error) {
      setOutcome({ text: sentenceOf(error), bad: true });
    }
  }

  const layout = config.layout ?? 'floating';
  const code = embedCode({ service, source: { kind: 'persona', personaId: persona.id }, layout });
  return (
    <section class="card padded stack">
      <div>
        <h2>On your web site</h2>
        <p class="muted small">A widget with which the visitors of your pages talk to {persona.name}.</p>
      </div>
      <div class="widget-editor">
        <form class="stack" onSubmit={(event) => void save(event)}>
          <TextField
            label="Call to action"
            value={config.callToAction ?? ''}
            maxLength={200}
            onInput={(callToAction) => set({ callToAction })}
          />
          <div class="pair">
            <SelectField
              label="Place"
              value={layout}
              onChange={(value) => set({ layout: value as 'inline' | 'floating' })}
            >
              <option value="floating">In a corner of the page</option>
              <option value="inline">In the text of the page</option>
            </SelectField>
            <SelectField
              label="Corner"
              value={config.position ?? 'bottom-right'}
              onChange={(position) => set({ position })}
            >
              <option value="bottom-right">Bottom right</option>
              <option value="bottom-left">Bottom left</option>
              <option value="top-right">Top right</option>
              <option value="top-left">Top left</option>
            </SelectField>
          </div>
          <SelectField
            label="At first"
            value={config.initialState ?? 'expanded'}
            onChange={(value) => set({ initialState: value as 'minimized' | 'expanded' })}
          >
            <option value="expanded">Open</option>
            <option value="minimized">A button</option>
          </SelectField>
          <fieldset class="field plain">
            <legend>Visitors see</legend>
            {SWITCHES.map(([name, label]) => (
              <label key={name} class="check">
                <input
                  type="checkbox"
                  checked={config[name] === true}
                  onChange={(event) => set({ [name]: event.currentTarget.checked })}
                />
                {label}
              </label>
            ))}
          </fieldset>
          <TextField
            label="Web sites that may show it"
            hint="One a line, for example shop.example.com. Without any, nobody can."
            lines={2}
            value={sites}
            onInput={(text) => {
              setSites(text);
              setOutcome(null);
            }}
          />
          <label class="check">
            <input
              type="checkbox"
              checked={config.allowEverywhere === true}
              onChange={(event) => set({ allowEverywhere: event.currentTarget.checked })}
            />
            Any web site may show it
          </label>
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
        <WidgetPreview persona={persona} config={config} />
      </div>
      <div class="field">
        <span class="label">Put this into the page</span>
        <pre class="code" tabIndex={0}>
          {code}
        </pre>
        <div class="row">
          <CopyButton text={code}>Copy code</CopyButton>
        </div>
      </div>
    </section>
  );
}
