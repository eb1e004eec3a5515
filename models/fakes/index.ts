/** Deterministic stand-ins for tests and benches: no network, no model, every delay declared. */
export { createFakeLlm, type FakeLlmOptions, type FakeStep } from './fake-llm.ts';
export { createFakeRecognizer, fakeRecognizer, type FakeRecognizerOptions } from './fake-recognizer.ts';
export { createFakeSynthesizer, type FakeSynthesizerOptions } from './fake-synthesizer.ts';
export {
  createPromptedRecognizer,
  promptedRecognizer,
  type Prompt,
  type PromptedRecognizerOptions,
} from './prompted-recognizer.ts';
