// Records the canvas as a video, in the browser.
import { download } from "./files";

// An MP4 first, but only with the codec that every player knows.
const KINDS = ["video/mp4;codecs=avc1", "video/webm;codecs=vp9", "video/webm", "video/mp4"];

export class Film {
  readonly kind: string | null;
  onChange: (on: boolean) => void = () => undefined;
  private recorder: MediaRecorder | null = null;
  private readonly type: string | null;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly fail: (text: string) => void,
  ) {
    const can = typeof MediaRecorder !== "undefined" && "captureStream" in canvas;
    this.type = can ? (KINDS.find((kind) => MediaRecorder.isTypeSupported(kind)) ?? null) : null;
    this.kind = this.type ? (this.type.startsWith("video/mp4") ? "MP4" : "WebM") : null;
  }

  toggle(): void {
    if (this.recorder) return this.recorder.stop();
    if (!this.type) return;
    const parts: Blob[] = [];
    const type = this.type;
    try {
      this.recorder = new MediaRecorder(this.canvas.captureStream(60), { mimeType: type, videoBitsPerSecond: 8e6 });
    } catch (error) {
      return this.fail(`filming did not start: ${String(error)}`);
    }
    this.recorder.ondataavailable = (event) => parts.push(event.data);
    this.recorder.onstop = () => {
      this.recorder = null;
      this.onChange(false);
      download(new Blob(parts, { type }), `canter.${type.startsWith("video/mp4") ? "mp4" : "webm"}`);
    };
    this.recorder.start(1000);
    this.onChange(true);
  }
}
