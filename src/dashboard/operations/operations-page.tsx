// The page Operations: the list of all that are known, or one of them with its verdict and the
// evidence of it. Its script is loaded when it is opened first.

import "./operations.css";
import { type PageProps, page } from "../parts/page.tsx";
import { OneOperation } from "./one-operation.tsx";
import { OperationList } from "./operation-list.tsx";
import { OPERATIONS_VIEW } from "./view.ts";

export const operationsPage = page(OPERATIONS_VIEW, Operations);

function Operations({ view, change }: PageProps<typeof OPERATIONS_VIEW>) {
  const { id } = view;
  if (id === null) return <OperationList view={view} change={change} />;
  return <OneOperation key={id} id={id} view={view} change={change} />;
}
