import { ERRORS } from '../../errors/http-error.ts';
import type { z } from 'zod';
import type { Examples } from '../../http/resource.ts';
import type { KnowledgeGroupResponse, knowledgeDocumentResponse } from './knowledge-schema.ts';

const houseRules: KnowledgeGroupResponse = {
  id: '302d7145-4a5b-4352-a439-19dd322ccd22',
  name: 'House rules',
  description: null,
  documentCount: 1,
  createdAt: '2026-11-21T00:55:09.774Z',
  updatedAt: null,
};

const rulesDocument: z.infer<typeof knowledgeDocumentResponse> = {
  id: 'f873eeb8-b848-4f66-a453-c1ebf8361987',
  knowledgeFolderId: '302d7145-4a5b-4352-a439-19dd322ccd22',
  filename: 'house-rules.txt',
  fileType: 'text/plain',
  fileSize: 72,
  fileUrl: 'https://parley.example.com/files/documents/f873eeb8-b848-4f66-a453-c1ebf8361987?signature=_IBcUKix',
  status: 'READY',
  errorMessage: null,
  note: null,
  createdAt: '2026-11-21T00:55:09.774Z',
  updatedAt: '2026-11-21T00:55:09.774Z',
};

const rulesUrl = 'https://parley.example.com/files/documents/f873eeb8-b848-4f66-a453-c1ebf8361987?signature=noWBhhRO';

export const knowledgeExamples: Examples = {
  'DELETE /v1/knowledge/groups/{id}': { refusals: [ERRORS.inUse] },
  'GET /v1/knowledge/groups': { answer: [houseRules] },
  'POST /v1/knowledge/groups': { answer: { ...houseRules, documentCount: 0 } },
  'GET /v1/knowledge/groups/{id}': { answer: houseRules },
  'PUT /v1/knowledge/groups/{id}': {
    request: { description: 'What guests ask about' },
    answer: { ...houseRules, description: 'What guests ask about', updatedAt: '2026-11-21T00:55:09.774Z' },
  },
  'POST /v1/knowledge/groups/{id}/search': {
    answer: [
      {
        documentId: 'f873eeb8-b848-4f66-a453-c1ebf8361987',
        filename: 'house-rules.txt',
        content: 'Breakfast is served from seven to ten. The swimming pool opens at eight.',
        score: 1,
        chunkIndex: 0,
        metadata: {},
      },
    ],
  },
  'GET /v1/knowledge/groups/{id}/documents': { answer: [rulesDocument] },
  'POST /v1/knowledge/groups/{id}/documents': { answer: { ...rulesDocument, status: 'PROCESSING', updatedAt: null } },
  'POST /v1/knowledge/groups/{id}/documents/presigned-upload': {
    answer: {
      uploadUrl: 'https://parley.example.com/uploads/documents/f9be5470-f407-4a1c-901e-b78ae70a522a?signature=S7lYGXWn',
      documentId: 'f9be5470-f407-4a1c-901e-b78ae70a522a',
    },
  },
  'POST /v1/knowledge/documents/{id}/confirm-upload': {
    request: { fileSize: 72 },
    answer: { ...rulesDocument, status: 'PROCESSING' },
  },
  'POST /v1/knowledge/documents/{id}/process': { answer: { ...rulesDocument, status: 'PROCESSING' } },
  'GET /v1/knowledge/documents/{id}': { answer: rulesDocument },
  'PUT /v1/knowledge/documents/{id}': {
    request: { filename: 'rules.txt' },
    answer: {
      ...rulesDocument,
      filename: 'rules.txt',
      fileUrl: rulesUrl,
    },
  },
  'GET /v1/knowledge/documents/{id}/download': {
    answer: {
      downloadUrl: rulesUrl,
      filename: 'rules.txt',
    },
  },
  'POST /v1/knowledge/groups/{id}/upload-token': {
    answer: {
      uploadToken: 'eyJncm91cElkIjoiMzAyZDcxNDUiLCJleHBpcmVzQXQiOjE3OTUyMjM0MDl9.TNlE7BKTwEVj',
    },
  },
};
