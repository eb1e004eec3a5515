import { withForms } from '../../http/forms.ts';
import type { Resource } from '../../http/resource.ts';
import { cloneRoutes, type CloneRoutesParts } from './clone-routes.ts';
import { VoiceCloning } from './clone-voice.ts';
import { optionsRoutes, type OptionsRoutesParts } from './options-routes.ts';
import { previewRoutes, type PreviewRoutesParts } from './preview-routes.ts';
import { voiceErrors } from './voice-errors.ts';
import { voiceExamples } from './voice-examples.ts';
import { voiceRoutes, type VoiceRoutesParts } from './voice-routes.ts';

export const voices: Resource<CloneRoutesParts & VoiceRoutesParts & OptionsRoutesParts & PreviewRoutesParts> = {
  tag: 'Voices',
  description: 'Built-in voices, those of the accounts of the deployment, and voices cloned from a recording.',
  scopes: [{ name: 'voices', byDefault: true }],
  errors: voiceErrors,
  examples: voiceExamples,
  routes(app, control) {
    const cloning = new VoiceCloning(control);
    withForms(app, (forms) => cloneRoutes(forms, control, cloning));
    voiceRoutes(app, control, cloning);
    optionsRoutes(app, control, cloning);
    previewRoutes(app, control);
  },
};
