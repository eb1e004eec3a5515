import { useState } from 'preact/hooks';
import fields from '../../api/persona-fields.json';
import type { Persona } from '../../api/types.ts';
import { cornerOf, CORNERS } from '../../../widget/src/options.ts';
import { CheckField, SelectField, TextField } from '../../components/fields.tsx';
import { Options } from '../../components/options.tsx';
import { VariableValues } from '../../components/variable-values.tsx';
import type { Version } from '../persona-editor/draft-api.ts';
import { VersionSharesField } from './version-shares.tsx';
import { linesOf } from './link-wording.ts';
import { shownConfig, type WidgetConfig } from './widget-config.ts';

const SWITCHES = [
  ['showTextInput', 'Visitors can type'],
  ['showMuteButton', 'A button mutes the microphone'],
  ['showTranscript', 'Visitors can open the transcript'],
  ['showCaptions', 'Captions are on from the start'],
  ['removeWatermark', 'Without “Made with Parley”'],
] as const satisfies readonly (readonly [keyof WidgetConfig, string])[];

/** "bottom-right" → "Bottom right". */
const cornerName = (corner: string): string => corner.charAt(0).toUpperCase() + corner.slice(1).replace('-', ' ');

/** How a widget looks, and which web sites may show it. @param props.config what is stored; the rest has its defaults. */
export function WidgetFields(props: {
  readonly config: WidgetConfig;
  /** Of the persona; none: it is not created yet. */
  readonly versions: readonly Version[];
  /** Of the persona. */
  readonly variables: Persona['variables'];
  readonly onChange: (part: WidgetConfig) => void;
}) {
  const { config, variables, versions, onChange } = props;
  const shown = shownConfig(config);
  return (
    <>
      <TextField
        label="Call to action"
        path="widgetConfig.callToAction"
        value={shown.callToAction}
        maxLength={fields.widget.callToAction.maxLength}
        onInput={(callToAction) => onChange({ callToAction })}
      />
      <Place shown={shown} onChange={onChange} />
      <fieldset class="field plain">
        <legend>Visitors see</legend>
        {SWITCHES.map(([name, label]) => (
          <CheckField
            key={name}
            label={label}
            path={`widgetConfig.${name}`}
            checked={shown[name]}
            onChange={(checked) => onChange({ [name]: checked })}
          />
        ))}
      </fieldset>
      <Sites config={config} onChange={onChange} />
      <VariableValues
        declared={variables}
        path="widgetConfig.variableValues"
        values={config.variableValues ?? {}}
        onChange={(variableValues) => onChange({ variableValues })}
      />
      <VersionSharesField
        versions={versions}
        path="widgetConfig.versions"
        value={config.versions ?? null}
        onChange={(shares) => onChange({ versions: shares === null ? null : [...shares] })}
      />
    </>
  );
}

/** Where it is in the page, and whether it is open. */
function Place(props: { shown: ReturnType<typeof shownConfig>; onChange: (part: WidgetConfig) => void }) {
  const { shown, onChange } = props;
  return (
    <>
      <div class="pair">
        <SelectField
          label="Place"
          path="widgetConfig.layout"
          value={shown.layout}
          onChange={(layout) => onChange({ layout: layout as 'inline' | 'floating' })}
        >
          <option value="floating">In a corner of the page</option>
          <option value="inline">In the text of the page</option>
        </SelectField>
        <SelectField
          label="Corner"
          path="widgetConfig.position"
          value={cornerOf(shown.position)}
          onChange={(position) => onChange({ position })}
        >
          <Options of={CORNERS.map((corner) => [corner, cornerName(corner)])} />
        </SelectField>
      </div>
      <SelectField
        label="At first"
        path="widgetConfig.initialState"
        value={shown.initialState}
        onChange={(state) => onChange({ initialState: state as 'minimized' | 'expanded' })}
      >
        <option value="expanded">Open</option>
        <option value="minimized">A button</option>
      </SelectField>
    </>
  );
}

/** Which web sites may show it. */
function Sites({ config, onChange }: { config: WidgetConfig; onChange: (part: WidgetConfig) => void }) {
  const [sites, setSites] = useState((config.allowedOrigins ?? []).join('\n'));
  return (
    <>
      <TextField
        label="Web sites that may show it"
        path="widgetConfig.allowedOrigins"
        hint="One a line, for example shop.example.com. Without any, nobody can."
        lines={2}
        value={sites}
        onInput={(text) => {
          setSites(text);
          onChange({ allowedOrigins: linesOf(text) });
        }}
      />
      <CheckField
        label="Any web site may show it"
        path="widgetConfig.allowEverywhere"
        checked={config.allowEverywhere === true}
        onChange={(allowEverywhere) => onChange({ allowEverywhere })}
      />
    </>
  );
}
