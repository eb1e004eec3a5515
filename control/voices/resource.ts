import { withForms } from '../http/forms.ts';
import type { Resource } from '../resource.ts';
import { previewRoutes } from './preview-routes.ts';
import { voiceErrors } from './voice-errors.ts';
import { voiceExamples } from './voice-examples.ts';
import { voiceRoutes } from './voice-routes.ts';

export const voices: Resource = {
  tag: 'Voices',
  description: 'Built-in voices, and voices cloned from a sample.',
  scopes: [{ name: 'voices', byDefault: true }],
  errors: voiceErrors,
  examples: voiceExamples,
  routes(app, control) {
    withForms(app, (forms) => voiceRoutes(forms, control));
    previewRoutes(app, control);
  },
};
