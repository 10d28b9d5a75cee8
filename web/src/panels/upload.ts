// Uploads files and polls the server until they are built.
import type { Take } from "./spans";
import type { Labels } from "./takes";

export interface Report {
  name: string;
  hip_height: number;
  /** Why the size is a guess; null if the file has it, or the user gave it. */
  size_guess: string | null;
  /** How many clips the files have. */
  clips: number;
  confidence: number;
  legs: { name: string; joints: string[] }[];
  joints: string[];
  facing_deg: number;
  /** An animal that an older canter built has no labels. */
  gaits: { name: string; gait: string; label?: string; speed: number | null; seconds: number }[];
  actions: string[];
  warnings: string[];
  /** Clips that were not used, and why. */
  skipped?: [string, string][];
  /** Raw capture; missing where the files could not be understood. */
  takes?: Take[];
}

/** What would work with files that need too much time or memory. */
export interface Remedy {
  part: [number, number];
  command: string;
}

export interface Corrections {
  legs?: Record<string, string>;
  turn_deg?: number;
  part?: [number, number];
  labels?: Labels;
}

interface Job {
  share: number;
  doing: string;
  done: boolean;
  error: string | null;
  remedy: Remedy | null;
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
    readonly remedy: Remedy | null,
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
    if (state.error) throw new BuildError(state.error, { job, key: null, report: state.report ?? NOTHING_KNOWN }, state.remedy);
    if (state.done && state.key && state.report) return { job, key: state.key, report: state.report };
    progress(0.3 + 0.7 * state.share, state.doing);
    await new Promise((resolve) => window.setTimeout(resolve, 300));
  }
}

/** The report on files that could not even be read. */
const NOTHING_KNOWN: Report = { name: "", hip_height: 0, size_guess: null, clips: 0, confidence: 0, legs: [], joints: [], facing_deg: 0, gaits: [], actions: [], warnings: [] };

/** An animal that the server keeps, or null if it has none of that name. */
export async function keptAnimal(id: string): Promise<Built | null> {
  const answer = await fetch(`api/upload/${encodeURIComponent(id)}`);
  if (!answer.ok) return null;
  const { key, report } = (await answer.json()) as Job;
  return key && report ? { job: id, key, report } : null;
}

/** Has the server delete an animal that it keeps, with its files. */
export async function forget(id: string): Promise<void> {
  const answer = await fetch(`api/upload/${encodeURIComponent(id)}`, { method: "DELETE" });
  if (!answer.ok) throw new Error(errorText(answer.status, await answer.text()));
}

export async function upload(files: File[], progress: Progress): Promise<Built> {
  return wait(await post(files, progress), progress);
}

export async function correct(job: string, corrections: Corrections, progress: Progress): Promise<Built> {
  progress(0.3, "building again");
  const answer = await fetch(`api/upload/${encodeURIComponent(job)}/correct`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(corrections),
  });
  if (!answer.ok) throw new Error(errorText(answer.status, await answer.text()));
  return wait(((await answer.json()) as { job: string }).job, progress);
}
