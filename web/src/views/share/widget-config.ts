import fields from '../../api/persona-fields.json';
import type { PersonaInput } from '../../../../control/api/personas/persona-schema.ts';

/** What the API stores; what is absent has its default. */
export type WidgetConfig = NonNullable<PersonaInput['widgetConfig']>;

const rules = fields.widget;

/** @returns how a widget looks: without what is about web sites, and with the defaults of the API. */
export function shownConfig(config: WidgetConfig) {
  return {
    callToAction: config.callToAction ?? rules.callToAction.default,
    layout: config.layout ?? (rules.layout.default as 'floating'),
    initialState: config.initialState ?? (rules.initialState.default as 'expanded'),
    position: config.position ?? rules.position.default,
    showTextInput: config.showTextInput ?? rules.showTextInput.default,
    showMuteButton: config.showMuteButton ?? rules.showMuteButton.default,
    showTranscript: config.showTranscript ?? rules.showTranscript.default,
    showCaptions: config.showCaptions ?? rules.showCaptions.default,
    removeWatermark: config.removeWatermark ?? rules.removeWatermark.default,
  };
}
