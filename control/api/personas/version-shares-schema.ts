import { z } from 'zod';

/** Which versions conversations have: one, or two that share them. */
export const versionShares = z
  .array(
    z.object({
      version: z.number().int().min(1).max(999_999_999),
      share: z.number().int().min(1).max(100).describe('Percent of the conversations.'),
    }),
  )
  .min(1)
  .max(2)
  .refine((all) => all.reduce((sum, { share }) => sum + share, 0) === 100, 'the shares must be 100 together')
  .refine((all) => new Set(all.map(({ version }) => version)).size === all.length, 'the versions must be different')
  .describe(
    'Of the persona: one version, or two different ones that share the conversations, 100 percent together. ' +
      'Which one a session has depends on its id.',
  );
export type VersionShares = z.infer<typeof versionShares>;
