// Uploads files and polls the server until they are built.

export interface Report {
  name: string;
  hip_height: number;
  confidence: number;
  legs: { name: string; joints: string[] }[];
  joints: string[];
  facing_deg: number;
  gaits: { name: string; gait: string; speed: number | null; seconds: number }[];
  warnings: string[];
}

interface Job {
  share: number;
  doing: string;
  done: boolean;
  error: string | null;
  key: string | null;
  report: Report | null;
}

export type Progress = (share: number, doing: string) => void;
export interface Built {
  job: string;
  /** Null if the files were read but no legs were found; the report's joints help to correct that. */
  key: string | null;
  report: Report;
}

/** A build that failed, with the report on the animal if the files could be read. */
export class BuildError extends Error {
  constructor(
    text: string,
    readonly built: Built | null,
  ) {
    super(text);
  }
}

/** The server's error message, or one for the status. */
function errorText(status: number, text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: string };
    if (error) return error;
  } catch {
    // not JSON: a proxy's page, say
  }
  if (status === 413) return "This is too much for the server: send fewer or smaller files.";
  return status ? `The server answered ${status}.` : "The server could not be reached.";
}

/** Uploads files and returns the name of the job. An XMLHttpRequest, because fetch does not report progress. */
function post(files: File[], progress: Progress): Promise<string> {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    for (const file of files) form.append("file", file, file.name);
    const request = new XMLHttpRequest();
    request.open("POST", "api/upload");
    request.upload.onprogress = (event) => progress(event.lengthComputable ? 0.3 * (event.loaded / event.total) : 0.1, "sending");
    request.onerror = () => reject(new Error(errorText(0, "")));
    request.onload = () => {
      if (request.status >= 300) reject(new Error(errorText(request.status, request.responseText)));
      else resolve((JSON.parse(request.responseText) as { job: string }).job);
    };
    request.send(form);
  });
}

async function wait(job: string, progress: Progress): Promise<Built> {
  for (;;) {
    const answer = await fetch(`api/upload/${encodeURIComponent(job)}`);
    if (!answer.ok) throw new Error(errorText(answer.status, await answer.text()));
    const state = (await answer.json()) as Job;
    if (state.error) throw new BuildError(state.error, state.report ? { job, key: null, report: state.report } : null);
    if (state.done && state.key && state.report) return { job, key: state.key, report: state.report };
    progress(0.3 + 0.7 * state.share, state.doing);
    await new Promise((resolve) => window.setTimeout(resolve, 300));
  }
}

export async function upload(files: File[], progress: Progress): Promise<Built> {
  return wait(await post(files, progress), progress);
}

export async function correct(job: string, legs: Record<string, string>, turn: number, progress: Progress): Promise<Built> {
  progress(0.3, "building again");
  const answer = await fetch(`api/upload/${encodeURIComponent(job)}/correct`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...(Object.keys(legs).length ? { legs } : {}), ...(turn ? { turn_deg: turn } : {}) }),
  });
  if (!answer.ok) throw new Error(errorText(answer.status, await answer.text()));
  return wait(((await answer.json()) as { job: string }).job, progress);
}
