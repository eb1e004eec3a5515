import type { AvatarSpec } from '../avatar-spec.ts';

export const amara: AvatarSpec = {
  engineKey: 'stock-amara',
  displayName: 'Amara',
  variantName: 'Evening',
  description: 'A young woman with natural curls and a mustard turtleneck, with the lights of a city behind her.',
  tags: ['woman', 'young', 'city', 'energetic'],
  skin: { base: '#a46a45', light: '#d59c70', shade: '#754328', deep: '#452213', blush: '#b85f45' },
  face: { cheek: 96, jaw: 75, chinWidth: 24, chinY: 147, neckWidth: 46, age: 0.03 },
  eyes: { iris: '#6a3f1f', irisRim: '#241107', size: 1.14, tilt: 3.5, lashes: 1, lidColor: '#8d5338', crease: 0.75 },
  brows: { color: '#26150f', thickness: 8, arch: 3 },
  nose: { width: 22, length: 0.97, bridge: 0.25 },
  mouth: { halfWidth: 38, fullness: 1.3, color: '#b35a58', shade: '#7f3239', gloss: 0.8 },
  hair: { style: 'curls', base: '#3a241a', shade: '#170c08', light: '#83573a' },
  beard: null,
  outfit: { kind: 'turtleneck', base: '#d39b33', shade: '#8b5c16', light: '#f0c468', inner: '#d39b33' },
  glasses: null,
  earrings: '#f0cf7a',
  background: { kind: 'evening', base: '#2c3560', light: '#5a5f9c', accent: '#ff8f7a' },
};
