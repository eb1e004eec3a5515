import type { Refusals } from '../../errors/http-error.ts';

/** What only knowledge groups and their documents are refused for. */
export const knowledgeErrors = {
  groupNotFound: [404, 'Knowledge group not found', 'No knowledge group of this organization has this id.'],
  documentNotFound: [404, 'Document not found', 'No knowledge document of this organization has this id.'],
} as const satisfies Refusals;
