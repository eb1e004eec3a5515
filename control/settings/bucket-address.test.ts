import { expect, it } from 'vitest';
import { parseBucketAddress } from './bucket-address.ts';

it.each([
  ['s3://talks', 'https://s3.eu-west-1.amazonaws.com/talks', ''],
  ['s3://talks/parley/one', 'https://s3.eu-west-1.amazonaws.com/talks', 'parley/one/'],
  ['https://files.example.com/talks', 'https://files.example.com/talks', ''],
  ['http://127.0.0.1:7480/talks/parley/', 'http://127.0.0.1:7480/talks', 'parley/'],
])('%s is a bucket', (text, url, prefix) => {
  expect(parseBucketAddress(text, 'eu-west-1')).toEqual({ url, prefix });
});

it.each([
  's3://',
  'https://files.example.com',
  'https://key:secret@files.example.com/talks',
  'https://files.example.com/talks?region=eu',
  'https://files.example.com/UPPER',
  'https://files.example.com/talks/.hidden',
  'ftp://files.example.com/talks',
  'talks',
])('%s is none', (text) => {
  expect(parseBucketAddress(text, 'eu-west-1')).toBeNull();
});
