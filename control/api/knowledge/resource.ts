import { withForms } from '../../http/forms.ts';
import type { Resource } from '../../http/resource.ts';
import { documentRoutes, type DocumentRoutesParts } from './document-routes.ts';
import { groupRoutes, type GroupRoutesParts } from './group-routes.ts';
import { knowledgeErrors } from './knowledge-errors.ts';
import { knowledgeExamples } from './knowledge-examples.ts';
import { uploadRoutes, type UploadRoutesParts } from './upload-routes.ts';

export const knowledge: Resource<GroupRoutesParts & UploadRoutesParts & DocumentRoutesParts> = {
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
