import { expect, it } from 'vitest';
import { readSettings } from './settings.ts';

const KEY = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

it('files are kept in a bucket, which needs a key', () => {
  const settings = readSettings({ PARLEY_BLOBS_URL: 's3://talks/parley', ...KEY });
  expect(settings).toMatchObject({ PARLEY_BLOBS_URL: 's3://talks/parley', AWS_REGION: 'us-east-1' });
  expect(() => readSettings({ PARLEY_BLOBS_URL: 's3://talks', AWS_ACCESS_KEY_ID: 'id' })).toThrow(
    'PARLEY_BLOBS_URL: the bucket needs a key; set AWS_SECRET_ACCESS_KEY',
  );
  expect(() => readSettings({ PARLEY_BLOBS_URL: 'https://files.example.com', ...KEY })).toThrow('PARLEY_BLOBS_URL');
});
