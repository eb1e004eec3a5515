/** Where files are kept: a bucket of an S3 service, or a folder in it. */
export interface BucketAddress {
  /** Of the bucket, without a trailing slash. */
  readonly url: string;
  /** Of all keys: empty, or with a trailing slash. */
  readonly prefix: string;
}

/** Amazon's own regions. */
const AWS = (region: string): string => `https://s3.${region}.amazonaws.com`;

/**
 * @param text `s3://bucket/folder` at Amazon, `https://host/bucket/folder` elsewhere; the folder may be missing.
 * @returns null when it names no bucket.
 */
export function parseBucketAddress(text: string, region: string): BucketAddress | null {
  const url = URL.parse(text.replace(/^s3:\/\//, `${AWS(region)}/`));
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return null;
  const [bucket, ...folders] = url.pathname.split('/').filter((part) => part !== '');
  if (bucket === undefined || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) return null;
  if (folders.some((folder) => !/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(folder))) return null;
  return { url: `${url.origin}/${bucket}`, prefix: folders.map((folder) => `${folder}/`).join('') };
}
