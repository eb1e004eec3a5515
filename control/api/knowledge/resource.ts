import { withForms } from '../../http/forms.ts';
import type { Resource } from '../../http/resource.ts';
import { documentRoutes } from './document-routes.ts';
import { groupRoutes } from './group-routes.ts';
import { knowledgeErrors } from './knowledge-errors.ts';
import { knowledgeExamples } from './knowledge-examples.ts';
import { uploadRoutes } from './upload-routes.ts';

export const knowledge: Resource = {
  tag: 'Knowledge',
  description: 'Documents, in groups, in which personas look things up.',
  scopes: [{ name: 'knowledge', byDefault: true }],
  errors: knowledgeErrors,
  examples: knowledgeExamples,
  routes(app, control) {
    groupRoutes(app, control);
    uploadRoutes(app, control);
    withForms(app, (forms) => documentRoutes(forms, control));
  },
};
