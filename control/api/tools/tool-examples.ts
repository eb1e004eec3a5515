import { ERRORS } from '../../errors/http-error.ts';
import { metaOf } from '../../http/paging.ts';
import type { Examples } from '../../http/resource.ts';
import { toolErrors } from './tool-errors.ts';
import type { ToolResponse } from './tool-schema.ts';

export const showMap: ToolResponse = {
  id: '3df5af47-af74-4192-bb1c-95fbe4a3e3f8',
  name: 'show_map',
  description: 'Shows a place on the map beside the persona.',
  type: 'CLIENT',
  config: { parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] } },
  disableInterruptions: false,
  createdAt: '2026-11-21T00:55:09.774Z',
  updatedAt: null,
  usageCount: 1,
};

export const toolExamples: Examples = {
  'DELETE /v1/tools/{id}': { refusals: [ERRORS.inUse] },
  'GET /v1/tools': {
    answer: {
      data: [showMap],
      meta: { ...metaOf({ page: 1, perPage: 10 }, 2), page: 1, totalPages: 1 },
    },
  },
  'POST /v1/tools': {
    answer: {
      id: '90f2e548-3565-43e8-bd09-96d8c775c6e1',
      name: 'look_up',
      description: 'Looks up the rules of the house.',
      type: 'SERVER_RAG',
      config: { documentFolderIds: ['302d7145-4a5b-4352-a439-19dd322ccd22'] },
      disableInterruptions: false,
      createdAt: '2026-11-21T00:55:09.774Z',
      updatedAt: null,
      usageCount: 0,
    },
  },
  'GET /v1/tools/{id}': { answer: showMap },
  'PUT /v1/tools/{id}': {
    request: { description: 'Shows a place on the map.' },
    answer: { ...showMap, description: 'Shows a place on the map.', updatedAt: '2026-11-21T00:55:09.774Z' },
    refusals: [ERRORS.unreadableSecret],
  },
  'POST /v1/tools/{id}/test': {
    answer: {
      ok: true,
      output: '[Source 1 from "house.md", Relevance: 92%]\nBreakfast is served from seven to ten.',
      documentsAccessed: ['house.md'],
      durationSeconds: 0.012,
    },
    refusals: [toolErrors.toolRunsInSessions, ERRORS.unreadableSecret],
  },
};
