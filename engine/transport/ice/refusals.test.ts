import { expect, it } from 'vitest';
import { bindingRequest } from '../testing/binding-request.ts';
import { IceCredentialMaker } from './credential-maker.ts';
import { Refusals } from './refusals.ts';
import { parseBindingRequest } from './stun.ts';

const maker = new IceCredentialMaker();

const check = (password?: string) => {
  const made = maker.make();
  return parseBindingRequest(
    bindingRequest({ username: `${made.ufrag}:client`, password: password ?? made.password }),
  )!;
};

it('refuse who was a client of this deployment, and ignore strangers', () => {
  const refusals = new Refusals(maker, 0);
  const request = check();
  const answer = refusals.to(request, 0);
  // A binding error of the same transaction.
  expect(answer?.readUInt16BE(0)).toBe(0x0111);
  expect(answer?.subarray(8, 20)).toEqual(request.transactionId);
  expect(refusals.to(check('a guess'), 0)).toBeNull();
});

it('examine no more than a thousand checks a second in the long run', () => {
  const refusals = new Refusals(maker, 0);
  const request = check();
  for (let number = 0; number < 2_000; number++) expect(refusals.to(request, 0)).not.toBeNull();
  expect(refusals.to(request, 0)).toBeNull();
  expect(refusals.to(request, 1)).not.toBeNull();
  expect(refusals.to(request, 1)).toBeNull();
});
