import { z } from 'zod';
import { DOCUMENT_CONTENT_TYPES, DOCUMENT_PATTERN } from './document-type.ts';
import { jsonObject, mediaType, timestamp, uuid } from '../../http/schemas.ts';

/** Largest document in bytes. */
export const MAX_DOCUMENT_SIZE = 52_428_800;
/** Characters per passage and characters that neighbors share. */
export const CHUNK_SIZE = 1000;
export const CHUNK_OVERLAP = 200;

const name = z.string().trim().min(1).max(255);
const description = z.string().max(2000).nullable();

export const createGroup = z
  .object({ name, description: description.optional() })
  .meta({ id: 'CreateKnowledgeGroup', examples: [{ name: 'House rules' }] });
export const updateGroup = z.object({ name, description }).partial().meta({ id: 'UpdateKnowledgeGroup' });

export const searchGroup = z
  .object({
    query: z.string().trim().min(1).max(2000),
    limit: z.number().int().min(1).max(20).default(5),
  })
  .meta({ id: 'SearchKnowledge', examples: [{ query: 'When is breakfast?' }] });

const filename = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine((value) => !/[/\\\0]/.test(value), 'must be a file name without a path')
  .meta({ pattern: String.raw`^[^/\\]*[^/\\\s][^/\\]*$` });

export const presignDocument = z
  .object({
    filename,
    contentType: mediaType,
    fileSize: z.number().int().min(1).max(MAX_DOCUMENT_SIZE),
  })
  .meta({
    id: 'PresignDocument',
    anyOf: [
      { properties: { contentType: { enum: DOCUMENT_CONTENT_TYPES } } },
      { properties: { filename: { pattern: DOCUMENT_PATTERN } } },
    ],
    examples: [{ filename: 'rules.pdf', contentType: 'application/pdf', fileSize: 48_213 }],
  });

export const confirmUpload = z
  .object({ fileSize: z.number().int().min(1).max(MAX_DOCUMENT_SIZE) })
  .meta({ id: 'ConfirmUpload' });
export const renameDocument = z.object({ filename }).meta({ id: 'RenameDocument' });

/** The upload form in the API document. It is read as it arrives, and checked by `chunkingForm`. */
const uploadForm = z.unknown().meta({
  type: 'object',
  properties: {
    file: { type: 'string', format: 'binary' },
    chunkSize: { type: 'integer', minimum: 100, maximum: 8000, default: CHUNK_SIZE },
    chunkOverlap: { type: 'integer', minimum: 0, maximum: 7999, default: CHUNK_OVERLAP },
  },
  required: ['file'],
});

export const uploadRequest = { consumes: ['multipart/form-data'], body: uploadForm };

/** Fields of the upload form, as text. */
export const chunkingForm = z
  .object({
    chunkSize: z
      .string()
      .regex(/^\d{1,6}$/, 'must be a whole number')
      .transform(Number)
      .pipe(z.number().min(100).max(8000))
      .default(CHUNK_SIZE),
    chunkOverlap: z
      .string()
      .regex(/^\d{1,6}$/, 'must be a whole number')
      .transform(Number)
      .optional(),
  })
  .transform(({ chunkSize, chunkOverlap }, context) => {
    // If a default does not fit a small passage, the caller did nothing wrong.
    const overlap = chunkOverlap ?? Math.min(CHUNK_OVERLAP, chunkSize - 1);
    if (overlap >= chunkSize)
      context.addIssue({
        code: 'too_big',
        origin: 'number',
        maximum: chunkSize - 1,
        inclusive: true,
        path: ['chunkOverlap'],
        message: 'must be smaller than chunkSize',
        input: overlap,
      });
    return { chunkSize, chunkOverlap: overlap };
  });

export const knowledgeGroupResponse = z
  .object({
    id: uuid,
    name: z.string(),
    description: z.string().nullable(),
    documentCount: z.number().int(),
    createdAt: timestamp,
    updatedAt: timestamp.nullable(),
  })
  .meta({ id: 'KnowledgeGroup' });
export type KnowledgeGroupResponse = z.infer<typeof knowledgeGroupResponse>;

export const knowledgeDocumentResponse = z
  .object({
    id: uuid,
    knowledgeFolderId: uuid,
    filename: z.string(),
    fileType: z.string(),
    fileSize: z.number().int(),
    fileUrl: z.string(),
    status: z.enum(['UPLOADED', 'PROCESSING', 'READY', 'FAILED']),
    errorMessage: z.string().nullable(),
    note: z.string().nullable().describe('What is doubtful of a document that was read, for example its charset.'),
    createdAt: timestamp,
    updatedAt: timestamp.nullable(),
  })
  .meta({ id: 'KnowledgeDocument' });

export const searchResult = z
  .object({
    documentId: uuid,
    filename: z.string(),
    content: z.string(),
    score: z.number().describe('0 to 1; higher is closer.'),
    chunkIndex: z.number().int(),
    metadata: jsonObject,
  })
  .meta({ id: 'KnowledgeSearchResult' });
