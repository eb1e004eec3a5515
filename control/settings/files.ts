import { z } from 'zod';
import { parseBucketAddress } from './bucket-address.ts';
import { optionalText } from './values.ts';

const DEFAULT_REGION = 'us-east-1';

/** Where files are kept, if not in the data folder. */
export function fileSettings() {
  return {
    PARLEY_BLOBS_URL: z
      .string()
      .refine(
        (url) => parseBucketAddress(url, DEFAULT_REGION) !== null,
        'must be s3://bucket or https://host/bucket, optionally with a folder, and without a key',
      )
      .optional()
      .describe(
        'S3 bucket for uploads, images, avatars made of photos, videos and finished recordings: `s3://bucket` at Amazon, ' +
          '`https://host/bucket` elsewhere, optionally with a folder behind it. Unset: the data folder.',
      ),
    AWS_ACCESS_KEY_ID: optionalText().describe('Id of the key for that bucket.'),
    AWS_SECRET_ACCESS_KEY: optionalText().describe('The secret of that key.'),
    AWS_REGION: z
      .string()
      .regex(/^[a-z0-9-]+$/)
      .default(DEFAULT_REGION)
      .describe('Region of that bucket.'),
  };
}

/** @param values texts by the name of the setting. @returns a line for each thing that would not work. */
export function fileProblems(values: Readonly<Record<string, string | undefined>>): string[] {
  const missing = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'].filter((name) => values[name] === undefined);
  return values['PARLEY_BLOBS_URL'] !== undefined && missing.length > 0
    ? [`PARLEY_BLOBS_URL: the bucket needs a key; set ${missing.join(' and ')}`]
    : [];
}
