import type { AvatarSpec } from '../avatar-spec.ts';

export const leo: AvatarSpec = {
  engineKey: 'stock-leo',
  displayName: 'Leo',
  variantName: 'Garden',
  description: 'A man in his twenties with parted brown hair and a teal hoodie, in a sunny garden.',
  tags: ['man', 'young', 'casual', 'outdoor'],
  skin: { base: '#eebd98', light: '#ffe0c4', shade: '#cc8f69', deep: '#8a523a', blush: '#e58e73' },
  face: { cheek: 95, jaw: 79, chinWidth: 28, chinY: 149, neckWidth: 55, age: 0.06 },
  eyes: { iris: '#4f83a8', irisRim: '#1d3a54', size: 1.04, tilt: 1.5, lashes: 0.25, lidColor: '#d9a283', crease: 0.55 },
  brows: { color: '#4c2f1e', thickness: 9, arch: 1.2 },
  nose: { width: 20, length: 1.02, bridge: 0.45 },
  mouth: { halfWidth: 38, fullness: 0.94, color: '#cf7f70', shade: '#a0534b', gloss: 0.3 },
  hair: { style: 'short-parted', base: '#6b4427', shade: '#311b0e', light: '#b98452' },
  beard: { color: '#5a3a28', density: 0.16 },
  outfit: { kind: 'hoodie', base: '#2f7f86', shade: '#164a50', light: '#57abb0', inner: '#e9f1ef' },
  glasses: null,
  earrings: null,
  background: { kind: 'garden', base: '#7da873', light: '#d9e8b6', accent: '#5f9a58' },
};
