import { expect, it } from 'vitest';
import { masterKeys } from '../access/master-key.ts';
import { NodeAddresses } from './node-addresses.ts';

const addressesOf = (...secrets: string[]) => new NodeAddresses(masterKeys(secrets).derive('internal-requests'));

it('an address is the one that a node of this deployment has signed', () => {
  const nodes = addressesOf('a key that all have');
  const signed = nodes.sign('http://10.0.0.7:8080');
  expect(nodes.read(signed)).toBe('http://10.0.0.7:8080');
  expect(addressesOf('a newer key', 'a key that all have').read(signed)).toBe('http://10.0.0.7:8080');
  for (const forged of [
    'http://evil:80',
    signed.replace('10.0.0.7', '10.0.0.8'),
    '',
    addressesOf('x').sign('http://evil'),
  ])
    expect(nodes.read(forged)).toBeNull();
});
