import { withForms } from '../../http/forms.ts';
import type { Resource } from '../../http/resource.ts';
import { avatarErrors } from './avatar-errors.ts';
import { avatarExamples } from './avatar-examples.ts';
import { avatarRoutes, type AvatarRoutesParts } from './avatar-routes.ts';

export const avatars: Resource<AvatarRoutesParts> = {
  tag: 'Avatars',
  description: 'Faces: built-in ones, and ones made from an image.',
  scopes: [{ name: 'avatars', byDefault: true }],
  errors: avatarErrors,
  examples: avatarExamples,
  routes(app, control) {
    withForms(app, (forms) => avatarRoutes(forms, control));
  },
};
