import type { Logger } from '../../../runtime/log.ts';
import { StartError } from '../../../runtime/start-error.ts';
import { systemTimers } from '../../../runtime/clock.ts';
import type { Settings } from '../../settings/settings.ts';
import type { DiskBlobs } from '../blobs.ts';
import { type BlobsInS3, blobsInS3 } from './blobs-in-s3.ts';
import { parseBucketAddress } from '../../settings/bucket-address.ts';
import { type Bucket, BucketError, openBucket } from './bucket.ts';

/**
 * Files in the bucket of the settings. A bucket that does not answer is no reason not to start: files wait on disk.
 * @returns null when the settings name none. @throws StartError when the bucket refuses.
 */
export async function openBlobsInS3(
  settings: Pick<Settings, 'PARLEY_BLOBS_URL' | 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY' | 'AWS_REGION'>,
  disk: DiskBlobs,
  log: Pick<Logger, 'error' | 'info' | 'warn'>,
): Promise<BlobsInS3 | null> {
  const { PARLEY_BLOBS_URL: url, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  const region = settings.AWS_REGION;
  const address = url === undefined ? null : parseBucketAddress(url, region);
  if (address === null || accessKeyId === undefined || secretAccessKey === undefined) return null;
  const bucket = await openBucket(address, { accessKeyId, secretAccessKey, region });
  await tryBucket(bucket, log);
  return blobsInS3(bucket, { disk, log, timers: systemTimers });
}

async function tryBucket(bucket: Bucket, log: Pick<Logger, 'warn'>): Promise<void> {
  try {
    await bucket.list('documents');
  } catch (error) {
    if (!(error instanceof BucketError)) throw error;
    if (error.status !== null && error.status < 500)
      throw new StartError(`PARLEY_BLOBS_URL: ${error.message}. Check the name of the bucket and its key.`, {
        cause: error,
      });
    log.warn({ problem: error.message }, 'PARLEY_BLOBS_URL: the bucket does not answer yet; files wait on disk');
  }
}
