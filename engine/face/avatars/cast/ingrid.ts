import type { AvatarSpec } from '../avatar-spec.ts';

export const ingrid: AvatarSpec = {
  engineKey: 'stock-ingrid',
  displayName: 'Ingrid',
  variantName: 'Consulting room',
  description: 'A woman in her fifties with a silver-blonde bun, square glasses and a burgundy blazer, by a window.',
  tags: ['woman', 'senior', 'healthcare', 'glasses'],
  skin: { base: '#f2c9ae', light: '#ffe6d5', shade: '#cf9478', deep: '#8d5646', blush: '#e08a80' },
  face: { cheek: 95, jaw: 75, chinWidth: 24, chinY: 148, neckWidth: 47, age: 0.58 },
  eyes: { iris: '#7b8f9c', irisRim: '#36454f', size: 1.02, tilt: 1, lashes: 0.6, lidColor: '#c99a8c', crease: 0.75 },
  brows: { color: '#9a7a58', thickness: 6.5, arch: 3 },
  nose: { width: 19.5, length: 1.02, bridge: 0.4 },
  mouth: { halfWidth: 36, fullness: 0.9, color: '#c4606a', shade: '#96404e', gloss: 0.55 },
  hair: { style: 'bun', base: '#cdb389', shade: '#8a7050', light: '#f6e7c6' },
  beard: null,
  outfit: { kind: 'blazer', base: '#7c2f41', shade: '#431420', light: '#a9546a', inner: '#efe6dd' },
  glasses: { color: '#5a2436', shape: 'square' },
  earrings: '#f2ece0',
  background: { kind: 'window', base: '#9fb2b5', light: '#e3ecea', accent: '#7fae9a' },
};
