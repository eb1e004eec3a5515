/** Its types describe all functions of the C library. These are the ones that are used. */
declare module 'libheif-js/wasm-bundle.js' {
  interface Handle {
    readonly handle: unique symbol;
  }
  /** In place of what was asked for. */
  interface HeifError {
    readonly code: { readonly value: number };
    readonly message: string;
  }
  interface HeifChannel {
    readonly width: number;
    readonly height: number;
    /** Bytes from one row to the next. */
    readonly stride: number;
    /** Part of the memory of the library: it is gone when that grows. */
    readonly data: Uint8Array;
  }
  const libheif: {
    readonly heif_colorspace: { readonly heif_colorspace_RGB: unknown };
    readonly heif_chroma: {
      readonly heif_chroma_interleaved_RGB: unknown;
      readonly heif_chroma_interleaved_RGBA: unknown;
    };
    heif_context_alloc(): Handle;
    heif_context_read_from_memory(context: Handle, bytes: Uint8Array): HeifError;
    heif_js_context_get_primary_image_handle(context: Handle): Handle | HeifError;
    heif_image_handle_has_alpha_channel(image: Handle): number;
    heif_js_decode_image2(
      image: Handle,
      colorspace: unknown,
      chroma: unknown,
    ): { readonly channels: readonly HeifChannel[] } | HeifError;
  };
  export default libheif;
}
