export interface ServedGallery {
  readonly url: string;
  close(): void;
}

export function serveGallery(): Promise<ServedGallery>;
