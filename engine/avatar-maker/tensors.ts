import { createRequire, registerHooks } from 'node:module';

const require = createRequire(import.meta.url);

interface Tensor {
  readonly size: number;
  dispose(): void;
}

/** Of the core of TensorFlow.js. */
export interface Tensors {
  setBackend(name: string): Promise<boolean>;
  ready(): Promise<void>;
  tensor3d(values: Uint8Array, shape: readonly number[], type: 'int32'): Tensor;
  reshape(tensor: Tensor, shape: readonly number[]): Tensor;
  sub(a: Tensor, b: Tensor): Tensor;
  mul(a: Tensor, b: Tensor): Tensor;
  div(a: Tensor, b: Tensor): Tensor;
  readonly Tensor: { readonly prototype: Record<string, (this: Tensor, ...values: never[]) => Tensor> };
}

/**
 * The core of TensorFlow.js, for `@vladmandic/face-api` as well, which asks for all of it: 237 MB and 4,500 files more,
 * with what that requires. Its two networks need these methods of tensors besides, which only the whole library adds.
 * Call it before face-api is loaded.
 */
export function loadTensors(): Tensors {
  registerHooks({
    resolve: (name, context, next) => next(name === '@tensorflow/tfjs' ? '@tensorflow/tfjs-core' : name, context),
  });
  const tf = require('@tensorflow/tfjs-core') as Tensors;
  const methods = tf.Tensor.prototype;
  for (const name of ['sub', 'mul', 'div'] as const)
    methods[name] = function (other: Tensor) {
      return tf[name](this, other);
    };
  methods['as1D'] = function () {
    return tf.reshape(this, [this.size]);
  };
  for (const name of ['as2D', 'as3D', 'as4D'])
    methods[name] = function (...shape: number[]) {
      return tf.reshape(this, shape);
    };
  return tf;
}
