// The list of animals, controllers and terrains of the server.
import type { State } from "./state";
import type { Catalog } from "./wire";

export async function loadCatalog(state: State): Promise<void> {
  try {
    const first = !state.catalog;
    const catalog = (await (await fetch("api/catalog")).json()) as Catalog;
    state.catalog = catalog;
    state.onCatalog.emit(catalog);
    if (first) for (const problem of catalog.problems) state.notify(problem, "error");
  } catch {
    state.notify("the list of animals could not be read", "error");
  }
}
