import { z } from 'zod';
import { variableValues } from './persona-variables.ts';
import { versionShares } from './version-shares-schema.ts';
import { originList } from '../../http/origins.ts';

/** What the widget shows when the persona says nothing about it. */
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
} as const;

/** How the embeddable widget looks and where it may be embedded. Defaults are told in the API document, not filled in. */
export const widgetConfigSchema = z
  .object({
    callToAction: z.string().max(200).meta({ default: WIDGET_DEFAULTS.callToAction }),
    allowedOrigins: originList.describe('Web sites that may show the widget. A bare domain means https.'),
    allowEverywhere: z.boolean().describe('Any web site; `allowedOrigins` is then ignored.'),
    layout: z.enum(['inline', 'floating']).meta({ default: WIDGET_DEFAULTS.layout }),
    initialState: z.enum(['minimized', 'expanded']).meta({ default: WIDGET_DEFAULTS.initialState }),
    variableValues: variableValues.describe('Values of variables of the persona. No visitor sees them.'),
    versions: versionShares.nullable().describe('Null: what is live.'),
    position: z.string().max(64).meta({ default: WIDGET_DEFAULTS.position }),
    showTextInput: z.boolean().meta({ default: WIDGET_DEFAULTS.showTextInput }),
    showMuteButton: z.boolean().meta({ default: WIDGET_DEFAULTS.showMuteButton }),
    showTranscript: z.boolean().meta({ default: WIDGET_DEFAULTS.showTranscript }),
    showCaptions: z.boolean().meta({ default: WIDGET_DEFAULTS.showCaptions }),
    removeWatermark: z.boolean().meta({
      default: WIDGET_DEFAULTS.removeWatermark,
      description:
        'Whether the widget leaves out the mark of its maker. It does not touch the label that says that an AI is seen: that is part of the image, and `showAIAvatarDisclosure` alone decides about it.',
    }),
  })
  .partial();
export type WidgetConfig = z.infer<typeof widgetConfigSchema>;

/** Whether any web site may show the widget. Without one the persona is its owner's alone. */
export function isPublished({ allowEverywhere, allowedOrigins }: WidgetConfig): boolean {
  return allowEverywhere === true || (allowedOrigins ?? []).length > 0;
}

/** @param origin the browser's Origin header. */
export function originAllowed(config: WidgetConfig, origin: string | undefined): origin is string {
  if (origin === undefined) return false;
  return config.allowEverywhere === true || (config.allowedOrigins ?? []).includes(origin);
}
