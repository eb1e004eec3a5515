import type { AvatarSpec } from '../avatar-spec.ts';

export const mei: AvatarSpec = {
  engineKey: 'stock-mei',
  displayName: 'Mei',
  variantName: 'Studio',
  description: 'A young woman with a black bob and a mint green top, in front of a soft studio light.',
  tags: ['woman', 'young', 'studio', 'friendly'],
  skin: { base: '#f5d0b0', light: '#ffebd6', shade: '#d9a07d', deep: '#9a5f49', blush: '#ec9a8b' },
  face: { cheek: 97, jaw: 74, chinWidth: 21, chinY: 144, neckWidth: 44, age: 0.03 },
  eyes: { iris: '#4a2c1c', irisRim: '#190c07', size: 1.1, tilt: 5, lashes: 0.8, lidColor: '#d99f86', crease: 0.25 },
  brows: { color: '#2a1a17', thickness: 7.5, arch: 1 },
  nose: { width: 18, length: 0.94, bridge: 0.15 },
  mouth: { halfWidth: 33, fullness: 1.06, color: '#dc6a6f', shade: '#ad414e', gloss: 0.85 },
  hair: { style: 'bob', base: '#2a2028', shade: '#0e0a10', light: '#6a5868' },
  beard: null,
  outfit: { kind: 'crew', base: '#79b8a2', shade: '#3f7766', light: '#a9ddcb', inner: '#ffffff' },
  glasses: null,
  earrings: '#f3f0ea',
  background: { kind: 'studio', base: '#7a6fa6', light: '#c8bfe6', accent: '#f5a3a0' },
};
